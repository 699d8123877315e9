#include "profile/profile_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::app {
namespace {

using profile::Row;
using report::Align;

template <typename Q>
std::string or_dash(const std::optional<Q>& value) {
  return value ? to_text(*value) : "-";
}

// The network, with launch mode and clock if they are not the default.
std::string title_of(const profile::Key& key) {
  std::string title = key.subject;
  if (key.launch == profile::Launch::replay) title += " (replayed)";
  if (key.clock) title += fmt::format(" at {}", to_text(*key.clock));
  return title;
}

std::string deviation_of(const Row& row) {
  if (!row.time || !row.time_deviation) return "-";
  return fmt::format("{:.1f} %", 100 * (*row.time_deviation / *row.time).si());
}

std::string with_error(double error) { return fmt::format("{:+.1f} %", 100 * error); }

std::string networks_table(std::vector<Row> rows, const report::TableStyle& style) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key() < b.key(); });
  report::TextTable table({{"network"},
                           {"batch", Align::right},
                           {"mode", Align::left, 1},
                           {"precision", Align::left, 2},
                           {"time", Align::right},
                           {"deviation", Align::right, 4},
                           {"power", Align::right},
                           {"energy/sample", Align::right},
                           {"host time", Align::right, 3}});
  for (const Row& row : rows) {
    const std::string name = title_of(row.key());
    if (row.status != profile::Status::measured) {
      table.row({name, std::to_string(row.condition.batch), std::string(profile::name_of(row.condition.mode)),
                 std::string(name_of(row.condition.precision)), std::string(name_of(row.status)), "", "", "",
                 ""});
      continue;
    }
    std::optional<Joules> each;
    if (row.energy) each = *row.energy / static_cast<double>(row.condition.batch);
    table.row({name, std::to_string(row.condition.batch), std::string(profile::name_of(row.condition.mode)),
               std::string(name_of(row.condition.precision)), or_dash(row.time), deviation_of(row),
               or_dash(row.power), or_dash(each), or_dash(row.host_time)});
  }
  return table.text(style);
}

std::string accuracy_text(const char* batches, const profile::SumAccuracy& accuracy) {
  if (accuracy.networks == 0) return "";
  std::string line =
      fmt::format("{}: {}\n  time error: median {:.1f} %, max {:.1f} %\n", batches,
                  counted(static_cast<std::uint64_t>(accuracy.networks), "network"),
                  100 * accuracy.median_time_error.value_or(0), 100 * accuracy.worst_time_error.value_or(0));
  if (accuracy.median_energy_error) {
    line += fmt::format("  energy error: median {:.1f} %, max {:.1f} %\n",
                        100 * *accuracy.median_energy_error, 100 * accuracy.worst_energy_error.value_or(0));
  }
  return line;
}

}  // namespace

std::string profile_text(const profile::RunSummary& summary, const std::vector<Row>& networks,
                         const ProfileTarget& target, const report::TableStyle& style) {
  std::string text;
  if (!networks.empty()) text = networks_table(networks, style) + "\n";
  std::int64_t all = 0;
  std::string ends;
  for (const auto& [status, count] : summary.rows) {
    all += count;
    if (status != profile::Status::measured) ends += fmt::format("; {} {}", count, name_of(status));
  }
  if (summary.invalid > 0) ends += fmt::format("; {} not valid", summary.invalid);
  if (summary.already_measured > 0) ends += fmt::format("; {} already measured", summary.already_measured);
  if (summary.not_reached > 0)
    ends += fmt::format("; {} not reached (continue with --resume)", summary.not_reached);
  text +=
      fmt::format("wrote {}: {} on {}{}{}\n", target.folder, counted(static_cast<std::uint64_t>(all), "row"),
                  target.device, target.simulated ? " (simulated)" : "", ends);
  for (const std::string& warning : target.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

std::string validation_text(const profile::Validation& validation, double tolerance,
                            const report::TableStyle& style) {
  report::TextTable table({{"network"},
                           {"batch", Align::right},
                           {"mode", Align::left, 1},
                           {"precision", Align::left, 1},
                           {"time", Align::right, 2},
                           {"sum of times", Align::right, 2},
                           {"time error", Align::right},
                           {"energy", Align::right, 3},
                           {"sum of energies", Align::right, 3},
                           {"energy error", Align::right},
                           {"verdict"}});
  std::string remarks, first_incomplete;
  std::int64_t incomplete = 0;
  std::vector<profile::SumCheck> checks = validation.checks;
  std::sort(checks.begin(), checks.end(), [](const auto& a, const auto& b) { return a.network < b.network; });
  for (const profile::SumCheck& check : checks) {
    const auto& condition = check.network.condition;
    const std::string name = title_of(check.network);
    const auto energy_error = check.energy_error();
    table.row({name, std::to_string(condition.batch), std::string(profile::name_of(condition.mode)),
               std::string(name_of(condition.precision)), to_text(check.measured_time),
               to_text(check.summed_time), with_error(check.time_error()), or_dash(check.measured_energy),
               or_dash(check.summed_energy), energy_error ? with_error(*energy_error) : "-",
               std::string(name_of(check.verdict))});
    incomplete += check.verdict == profile::SumCheck::Verdict::incomplete;
    if (check.verdict == profile::SumCheck::Verdict::incomplete) {
      if (incomplete == 1) first_incomplete = fmt::format("{}: {}", name, check.explanation);
    } else if (check.verdict != profile::SumCheck::Verdict::agrees) {
      remarks += fmt::format("{}, batch {}, {}, {}:\n  {}\n", name, condition.batch,
                             profile::name_of(condition.mode), name_of(condition.precision),
                             report::wrapped(check.explanation, 2, 2));
    }
  }
  std::string text = table.text(style) + "\n";
  text += accuracy_text("batch >= 32", validation.large);
  text += accuracy_text("batch < 32", validation.small);
  if (incomplete > 0) {
    text += fmt::format("{} of {} networks have unmeasured operations, for example:\n  {}\n", incomplete,
                        validation.checks.size(), report::wrapped(first_incomplete, 2, 2));
  }
  if (!remarks.empty()) text += fmt::format("\nErrors above {:.0f} %:\n{}", 100 * tolerance, remarks);
  return text;
}

}  // namespace ergon::app
