#include "report/cap_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::report {
namespace {

using control::Decision;

constexpr std::size_t kFirstDecisions = 8, kMaxRows = 20, kColumns = 80;

// The first decisions, and all that changed the operating point or followed a new cap.
std::vector<std::size_t> notable_decisions(const std::vector<Decision>& decisions) {
  std::vector<std::size_t> notable;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& each = decisions[i];
    const bool new_cap = i > 0 && each.feedback.cap != decisions[i - 1].feedback.cap;
    if (i < kFirstDecisions || new_cap || each.next.point != each.feedback.point) notable.push_back(i);
  }
  return notable;
}

std::string watts_text(const std::optional<Watts>& power) {
  return power ? fmt::format("{:.0f} W", power->si()) : "-";
}

// The reason without its leading power, which has its own column, cut to the width of the table. The log has
// the full text.
std::string short_reason(std::string_view reason, std::size_t room) {
  const auto digits = std::min(reason.find_first_not_of("0123456789"), reason.size());
  if (digits > 0) {
    for (const std::string_view separator : {" W: ", " W "}) {
      if (reason.substr(digits).starts_with(separator)) reason.remove_prefix(digits + separator.size());
    }
  }
  if (reason.size() <= room) return std::string(reason);
  const std::string_view dots = "...";
  std::string_view kept = reason.substr(0, room - dots.size());
  if (const auto blank = kept.rfind(' '); blank != std::string_view::npos) kept = kept.substr(0, blank);
  return fmt::format("{}{}", kept, dots);
}

std::string decisions_text(const std::vector<Decision>& decisions, const TableStyle& style) {
  const std::vector<TextTable::Heading> headings{{"time", Align::right},
                                                 {"power", Align::right},
                                                 {"cap", Align::right, 2},
                                                 {"batch", Align::right},
                                                 {"clock", Align::right, 1},
                                                 {"samples/s", Align::right},
                                                 {"decision"}};
  const auto notable = notable_decisions(decisions);
  const std::size_t rows = std::min(notable.size(), kMaxRows);
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (const auto& heading : headings) widths.push_back(heading.text.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const control::Feedback& feedback = decisions[notable[i]].feedback;
    const auto& clock = feedback.point.clock;
    cells.push_back({fmt::format("{:.2f} s", feedback.at.si()),
                     watts_text(feedback.mean_power ? feedback.mean_power : feedback.power),
                     to_text(feedback.cap), std::to_string(feedback.point.batch),
                     clock ? fmt::format("{:.0f} MHz", clock->si() / kMega) : "default",
                     grouped_text(feedback.throughput())});
    for (std::size_t j = 0; j < cells.back().size(); ++j)
      widths[j] = std::max(widths[j], cells.back()[j].size());
  }
  std::size_t taken = 0;
  for (std::size_t j = 0; j + 1 < widths.size(); ++j) taken += widths[j] + 2;
  TextTable table(headings);
  for (std::size_t i = 0; i < rows; ++i) {
    cells[i].push_back(short_reason(decisions[notable[i]].next.reason, kColumns - taken));
    table.row(std::move(cells[i]));
  }
  std::string text = table.text(style);
  if (decisions.size() > rows)
    text += fmt::format("... and {} more decisions, {} of them changes (--log FILE writes all)\n",
                        decisions.size() - rows,
                        notable.size() > rows ? std::to_string(notable.size() - rows) : "none");
  return text;
}

std::string rate_text(double throughput) { return grouped_text(throughput) + " samples/s"; }

std::string latency_text(const CapReport& report) {
  return report.summary.latency ? to_text(*report.summary.latency) : "unknown";
}

std::string met_text(const control::Compliance& cap) {
  if (!cap.took) return "not met";
  return fmt::format("met in {} ({})", to_text(*cap.took),
                     counted(static_cast<std::uint64_t>(cap.decisions), "decision"));
}

std::string best_text(const CapReport& report) {
  if (!report.best) return "no point meets the cap";
  const control::OraclePoint& best = *report.best;
  return fmt::format("{} at {:.0f} W, {}", rate_text(best.throughput), best.there.power.si(),
                     control::text_of(best.point));
}

std::string summary_text(const CapReport& report) {
  const control::Summary& summary = report.summary;
  const auto line = [](std::string_view what, const std::string& value) {
    return fmt::format("{:<18}{}\n", what, value);
  };
  const Watts cap = report.run.caps.back().cap;
  std::string text = line("throughput", rate_text(summary.throughput));
  // Throughput above the cap is not comparable with the oracle.
  const auto share = report.not_held.empty() ? report.share_of_best() : std::nullopt;
  const std::string of_best = share ? fmt::format("{:.1f} % of the oracle", 100 * *share) : "";
  if (report.settled()) {
    text += line("after settling", rate_text(summary.settled_throughput) + (share ? ", " + of_best : ""));
  } else if (share) {
    text += line("not settled", of_best);
  }
  if (report.best_known) text += line("oracle", best_text(report));
  text += line("power", fmt::format("{:.1f} W mean, {:.1f} W max; {} {}", summary.mean_power.si(),
                                    summary.max_power.si(), report.run.caps.size() > 1 ? "last cap" : "cap",
                                    to_text(cap)));
  const std::string later =
      report.settled() ? fmt::format(", {} after settling", to_text(summary.violation_after_settling)) : "";
  text += line("violations", summary.violation > Seconds{0}
                                 ? fmt::format("{} in total, longest {}{}", to_text(summary.violation),
                                               to_text(summary.longest_violation), later)
                                 : "none");
  text += line("settled after", report.settled() ? fmt::format("{}, {}", to_text(summary.settled_after),
                                                               counted(summary.settled_decisions, "decision"))
                                                 : "not settled");
  text += line("changes", fmt::format("{} in {}, {}", summary.changes, to_text(summary.lasted),
                                      counted(summary.decisions, "decision")));
  text += line("mean batch", fmt::format("{:.1f}", summary.mean_batch));
  text += line("mean clock",
               summary.mean_clock ? fmt::format("{:.0f} MHz", summary.mean_clock->si() / kMega) : "default");
  return text + line("p99 latency", latency_text(report));
}

// One line per cap, at most kMaxRows.
std::string caps_text(const std::vector<control::Compliance>& caps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(caps.size(), kMaxRows); ++i) {
    text += fmt::format("{:.2f} s: {} ({}), {}\n", caps[i].at.si(), to_text(caps[i].cap),
                        printable(caps[i].origin), met_text(caps[i]));
  }
  if (caps.size() > kMaxRows)
    text += fmt::format("... and {} more caps (--json lists all)\n", caps.size() - kMaxRows);
  return text;
}

}  // namespace

std::string cap_text(const std::string& title, const CapReport& report, const TableStyle& style) {
  std::string text = title + "\n" + decisions_text(report.run.decisions, style) + "\n" +
                     summary_text(report) + "\n" + caps_text(report.run.caps);
  for (const std::string& why : report.not_held) text += fmt::format("warning: {}\n", why);
  for (const std::string& remark : report.run.remarks) text += fmt::format("warning: {}\n", remark);
  return text;
}

std::string decision_text(const Decision& decision) {
  const control::Feedback& feedback = decision.feedback;
  const auto power = feedback.mean_power ? feedback.mean_power : feedback.power;
  std::string text = fmt::format("{:.1f} s: {} of {}, batch {}", feedback.at.si(),
                                 power ? fmt::format("{:.0f} W", power->si()) : "? W", to_text(feedback.cap),
                                 feedback.point.batch);
  if (feedback.point.clock) text += fmt::format(", {:.0f} MHz", feedback.point.clock->si() / kMega);
  return text + fmt::format(", {}", rate_text(feedback.throughput()));
}

}  // namespace ergon::report
