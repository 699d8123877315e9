#include "cap/cap_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "cap/reach.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using control::Decision;
using report::Align;

constexpr std::size_t kFirst = 8, kMostRows = 20, kColumns = 80;

// So that a person sees how it came about: the first decisions, and all after which something was another.
std::vector<std::size_t> telling_decisions(const std::vector<Decision>& decisions) {
  std::vector<std::size_t> telling;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& each = decisions[i];
    const bool new_cap = i > 0 && each.reading.cap != decisions[i - 1].reading.cap;
    if (i < kFirst || new_cap || each.next.point != each.reading.point) telling.push_back(i);
  }
  return telling;
}

std::string watts_text(const std::optional<Watts>& power) {
  return power ? fmt::format("{:.0f} W", power->si()) : "-";
}

// Without the power that it begins with, which stands beside it, and only as long as there is room: the log
// has all of it.
std::string short_reason(std::string_view reason, std::size_t room) {
  const auto digits = std::min(reason.find_first_not_of("0123456789"), reason.size());
  if (digits > 0) {
    for (const std::string_view behind : {" W: ", " W "}) {
      if (reason.substr(digits).starts_with(behind)) reason.remove_prefix(digits + behind.size());
    }
  }
  if (reason.size() <= room) return std::string(reason);
  const std::string_view dots = "...";
  std::string_view kept = reason.substr(0, room - dots.size());
  if (const auto blank = kept.rfind(' '); blank != std::string_view::npos) kept = kept.substr(0, blank);
  return fmt::format("{}{}", kept, dots);
}

std::string decisions_text(const std::vector<Decision>& decisions, const report::TableStyle& style) {
  const std::vector<report::TextTable::Heading> headings{
      {"time", Align::right}, {"power", Align::right},     {"cap", Align::right}, {"batch", Align::right},
      {"MHz", Align::right},  {"samples/s", Align::right}, {"and then"}};
  const auto telling = telling_decisions(decisions);
  const std::size_t rows = std::min(telling.size(), kMostRows);
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (const auto& heading : headings) widths.push_back(heading.text.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const control::Reading& reading = decisions[telling[i]].reading;
    const auto& clock = reading.point.clock;
    cells.push_back({fmt::format("{:.2f} s", reading.at.si()),
                     watts_text(reading.mean_power ? reading.mean_power : reading.power),
                     to_text(reading.cap), std::to_string(reading.point.batch),
                     clock ? fmt::format("{:.0f}", clock->si() / 1e6) : "own",
                     fmt::format("{:.4g}", reading.throughput())});
    for (std::size_t j = 0; j < cells.back().size(); ++j)
      widths[j] = std::max(widths[j], cells.back()[j].size());
  }
  std::size_t taken = 0;
  for (std::size_t j = 0; j + 1 < widths.size(); ++j) taken += widths[j] + 2;
  report::TextTable table(headings);
  for (std::size_t i = 0; i < rows; ++i) {
    cells[i].push_back(short_reason(decisions[telling[i]].next.reason, kColumns - taken));
    table.row(std::move(cells[i]));
  }
  std::string text = table.text(style);
  if (decisions.size() > rows)
    text += fmt::format("... and {} more, {} of them changes: --log FILE has all\n", decisions.size() - rows,
                        telling.size() > rows ? std::to_string(telling.size() - rows) : "none");
  return text;
}

std::string rate_text(double throughput) { return fmt::format("{:.4g}/s", throughput); }

std::string latency_text(const report::CapReport& report) {
  return report.summary.latency ? to_text(*report.summary.latency) + " at the 99th percentile" : "unknown";
}

std::string met_text(const control::Compliance& cap) {
  if (!cap.took) return "not met";
  return fmt::format("met in {} ({})", to_text(*cap.took),
                     counted(static_cast<std::uint64_t>(cap.decisions), "decision"));
}

std::string best_text(const report::CapReport& report) {
  if (!report.best) return "nothing keeps to it";
  const control::Best& best = *report.best;
  return fmt::format("{}, {:.0f} W, {}", rate_text(best.throughput), best.there.power.si(),
                     control::text_of(best.point));
}

std::string summary_text(const report::CapReport& report) {
  const control::Summary& summary = report.summary;
  const auto line = [](std::string_view what, const std::string& value) {
    return fmt::format("{:<18}{}\n", what, value);
  };
  const Watts cap = report.run.caps.back().cap;
  std::string text = line("throughput", rate_text(summary.throughput));
  // Above a cap it is easy to be fast.
  const auto share = report.unheld.empty() ? report.share_of_best() : std::nullopt;
  const std::string of_best = share ? fmt::format("{:.1f} % of the best possible", 100 * *share) : "";
  if (report.settled()) {
    text += line("once settled", rate_text(summary.settled_throughput) + (share ? ", " + of_best : ""));
  } else if (share) {
    text += line("without settling", of_best);
  }
  if (report.best_known) text += line("best possible", best_text(report));
  text += line("power", fmt::format("{:.1f} W in the mean, {:.1f} W at most; {} is {}",
                                    summary.mean_power.si(), summary.most_power.si(),
                                    report.run.caps.size() > 1 ? "the last cap" : "the cap", to_text(cap)));
  const std::string later =
      report.settled() ? fmt::format(", {} once settled", to_text(summary.violation_once_settled)) : "";
  text +=
      line("above the cap", summary.violation > Seconds{0}
                                ? fmt::format("{} in all, {} at once at most{}", to_text(summary.violation),
                                              to_text(summary.longest_violation), later)
                                : "never");
  text += line("settled after", report.settled() ? fmt::format("{}, {}", to_text(summary.settled_after),
                                                               counted(summary.settled_decisions, "decision"))
                                                 : "not before the end");
  text += line("changes", fmt::format("{} in {} and {}", summary.changes, to_text(summary.lasted),
                                      counted(summary.decisions, "decision")));
  text += line("mean batch", fmt::format("{:.1f}", summary.mean_batch));
  text += line("mean clock", summary.mean_clock ? fmt::format("{:.0f} MHz", summary.mean_clock->si() / 1e6)
                                                : "the device's own");
  return text + line("latency", latency_text(report));
}

// As many as a person wants to read.
std::string caps_text(const std::vector<control::Compliance>& caps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(caps.size(), kMostRows); ++i) {
    text += fmt::format("{:.2f} s: {} ({}), {}\n", caps[i].at.si(), to_text(caps[i].cap),
                        printable(caps[i].origin), met_text(caps[i]));
  }
  if (caps.size() > kMostRows) text += fmt::format("... and {} more: --json\n", caps.size() - kMostRows);
  return text;
}

}  // namespace

std::string cap_text(const std::string& title, const report::CapReport& report, const report::TableStyle& style) {
  std::string text = title + "\n" + decisions_text(report.run.decisions, style) + "\n" +
                     summary_text(report) + "\n" + caps_text(report.run.caps);
  for (const std::string& why : report.unheld) text += fmt::format("beware: {}\n", why);
  for (const std::string& remark : report.run.remarks) text += fmt::format("beware: {}\n", remark);
  return text;
}

}  // namespace ergon::app
