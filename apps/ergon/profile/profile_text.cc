#include "profile/profile_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using profile::Row;
using report::Align;

template <typename Q>
std::string or_dash(const std::optional<Q>& value) {
  return value ? to_text(*value) : "-";
}

// The network, and what is unusual about how it ran.
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
                           {"mode"},
                           {"numbers"},
                           {"time", Align::right},
                           {"+-", Align::right},
                           {"power", Align::right},
                           {"energy a sample", Align::right},
                           {"host", Align::right}});
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

std::string agreement_line(const char* what, const profile::Agreement& agreement) {
  if (agreement.networks == 0) return "";
  std::string line = fmt::format("{}: {}, time off by {:.1f} % in the median and {:.1f} % at worst", what,
                                 counted(static_cast<std::uint64_t>(agreement.networks), "network"),
                                 100 * agreement.median_time_error.value_or(0),
                                 100 * agreement.worst_time_error.value_or(0));
  if (agreement.median_energy_error) {
    line += fmt::format("; energy by {:.1f} % and {:.1f} %", 100 * *agreement.median_energy_error,
                        100 * agreement.worst_energy_error.value_or(0));
  }
  return line + "\n";
}

}  // namespace

std::string profile_text(const profile::RunSummary& summary, const std::vector<Row>& networks,
                         const ProfilePlace& place, const report::TableStyle& style) {
  std::string text;
  if (!networks.empty()) text = networks_table(networks, style) + "\n";
  std::int64_t all = 0;
  std::string ends;
  for (const auto& [status, count] : summary.rows) {
    all += count;
    if (status != profile::Status::measured) ends += fmt::format(", {} {}", count, name_of(status));
  }
  if (summary.invalid > 0) ends += fmt::format(", {} measured but not valid", summary.invalid);
  if (summary.known > 0) ends += fmt::format("; {} were there before", summary.known);
  if (summary.left > 0) ends += fmt::format("; {} are left, --resume goes on", summary.left);
  text += fmt::format("{} on {}{}{} -> {}\n", counted(static_cast<std::uint64_t>(all), "row"), place.device,
                      place.simulated ? " (simulated)" : "", ends, place.folder);
  return text;
}

std::string validation_text(const profile::Validation& validation, double tolerance, const report::TableStyle& style) {
  report::TextTable table({{"network"},
                           {"batch", Align::right},
                           {"mode"},
                           {"numbers"},
                           {"whole", Align::right},
                           {"sum", Align::right},
                           {"off", Align::right},
                           {"energy", Align::right},
                           {"sum", Align::right},
                           {"off", Align::right},
                           {"reading"}});
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
               std::string(name_of(check.reading))});
    incomplete += check.reading == profile::SumCheck::Reading::incomplete;
    if (check.reading == profile::SumCheck::Reading::incomplete) {
      if (incomplete == 1) first_incomplete = fmt::format("{}: {}", name, check.explanation);
    } else if (check.reading != profile::SumCheck::Reading::agrees) {
      remarks +=
          fmt::format("{}, batch {}, {}, {}: {}\n", name, condition.batch, profile::name_of(condition.mode),
                      name_of(condition.precision), check.explanation);
    }
  }
  std::string text = table.text(style) + "\n";
  text += agreement_line("batch 32 and above", validation.large);
  text += agreement_line("below", validation.small);
  if (incomplete > 0) {
    text += fmt::format("{} of {} cannot be judged, as operations are missing; {}\n", incomplete,
                        validation.checks.size(), first_incomplete);
  }
  if (!remarks.empty())
    text += fmt::format("\nWhere the sum is off by more than {:.0f} %:\n{}", 100 * tolerance, remarks);
  return text;
}

}  // namespace ergon::app
