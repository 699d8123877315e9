#include "profile/sum_explanation.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::profile {
namespace {

std::string percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string operations(std::int64_t count) { return counted(static_cast<std::uint64_t>(count), "operation"); }

// "conv (3 ms) and relu (1 ms)": the operation types with the largest part of the sum, at most three.
std::string largest_types(const SumCheck& check, const SumDetails& details) {
  std::vector<std::pair<Seconds, std::string>> types;
  for (const auto& [name, time] : details.times) types.emplace_back(time, name);
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> named;
  Seconds covered;
  for (const auto& [time, name] : types) {
    if (named.size() == 3 || covered >= 0.75 * check.summed_time) break;
    named.push_back(fmt::format("{} ({})", printable(name), to_text(time)));
    covered += time;
  }
  if (named.size() < 2) return named.empty() ? "no operation" : named.front();
  const std::string last = std::move(named.back());
  named.pop_back();
  return fmt::format("{} and {}", fmt::join(named, ", "), last);
}

std::string of_agreement(const SumCheck& check) {
  const auto energy_error = check.energy_error();
  if (!energy_error) {
    return fmt::format("sum of {}: {}; network: {}; difference {}", operations(check.parts),
                       to_text(check.summed_time), to_text(check.measured_time), percent(check.time_error()));
  }
  return fmt::format("sum of {}: {}, {}; network: {}, {}; difference {} (time), {} (energy)",
                     operations(check.parts), to_text(check.summed_time), to_text(*check.summed_energy),
                     to_text(check.measured_time), to_text(*check.measured_energy),
                     percent(check.time_error()), percent(*energy_error));
}

// True if the network, or its operations run one by one, are host-bound.
std::string of_host(const SumCheck& check, const SumDetails& details) {
  const std::string sum = to_text(check.summed_time), whole = to_text(check.measured_time);
  const bool within_whole = details.host && *details.host >= details.host_bound * check.measured_time;
  if (!within_whole) {
    return fmt::format(
        "host-bound operations: launching them one by one takes {} of {} in sum; largest: {}; the network "
        "takes "
        "{}",
        to_text(check.summed_host), sum, largest_types(check, details), whole);
  }
  const std::string waits =
      fmt::format("host-bound: launching an iteration takes {} of {}", to_text(*details.host), whole);
  if (check.summed_time > check.measured_time) {
    return fmt::format("{}; the sum of its operations ({}) is {:.1f} times as long", waits, sum,
                       (check.summed_time / check.measured_time).si());
  }
  return fmt::format("{}; the sum of its operations ({}) is {} shorter", waits, sum,
                     to_text(check.measured_time - check.summed_time));
}

std::string host_share(const SumDetails& details) {
  return details.host ? fmt::format(" (host: {})", to_text(*details.host)) : "";
}

// The time agrees; the energy does not.
std::string of_energy(const SumCheck& check) {
  const bool more = *check.summed_energy > *check.measured_energy;
  return fmt::format("times agree ({}), energies do not: sum {}, network {} ({}): {}",
                     percent(check.time_error()), to_text(*check.summed_energy),
                     to_text(*check.measured_energy), percent(*check.energy_error()),
                     more ? "operations draw more power alone than in the network"
                          : "operations draw less power alone than in the network");
}

std::string of_overlap(const SumCheck& check, const SumDetails& details) {
  return fmt::format(
      "the network takes less time than its operations: sum {}, network {}{}; operations overlap or reuse "
      "cached data; largest: {}",
      to_text(check.summed_time), to_text(check.measured_time), host_share(details),
      largest_types(check, details));
}

std::string of_hidden_cost(const SumCheck& check, const SumDetails& details) {
  return fmt::format(
      "the network takes {}, {} more than its operations one by one ({}){}: a cost that single operations do "
      "not show; largest: {}",
      to_text(check.measured_time), to_text(check.measured_time - check.summed_time),
      to_text(check.summed_time), host_share(details), largest_types(check, details));
}

std::string of_missing(const SumCheck& check, const SumDetails& details) {
  if (check.parts == 0) return "the composition of the network is not in the dataset";
  std::vector<std::string> types;
  for (const std::string& type : details.missing) {
    if (types.size() < 3) types.push_back(printable(type));
  }
  return fmt::format("{} of {} not measured ({}{}): sum of the others {}, network {}", check.missing,
                     operations(check.parts), fmt::join(types, ", "),
                     details.missing.size() > types.size() ? ", ..." : "", to_text(check.summed_time),
                     to_text(check.measured_time));
}

}  // namespace

std::string explain(const SumCheck& check, const SumDetails& details) {
  const bool times_agree = std::abs(check.time_error()) <= details.tolerance;
  switch (check.verdict) {
    case SumCheck::Verdict::agrees:
      return of_agreement(check);
    case SumCheck::Verdict::host_bound:
      return of_host(check, details);
    case SumCheck::Verdict::overlap:
      return times_agree ? of_energy(check) : of_overlap(check, details);
    case SumCheck::Verdict::hidden_cost:
      return times_agree ? of_energy(check) : of_hidden_cost(check, details);
    case SumCheck::Verdict::incomplete:
      return of_missing(check, details);
  }
  return "";
}

}  // namespace ergon::profile
