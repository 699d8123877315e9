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

// "conv (3 ms) and relu (1 ms)": the kinds that make up most of the sum, three at most.
std::string largest_kinds(const SumCheck& check, const SumDetails& details) {
  std::vector<std::pair<Seconds, std::string>> kinds;
  for (const auto& [name, time] : details.kinds) kinds.emplace_back(time, name);
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> named;
  Seconds covered;
  for (const auto& [time, name] : kinds) {
    if (named.size() == 3 || covered >= 0.75 * check.summed_time) break;
    named.push_back(fmt::format("{} ({})", printable(name), to_text(time)));
    covered += time;
  }
  if (named.size() < 2) return named.empty() ? "nothing" : named.front();
  const std::string last = std::move(named.back());
  named.pop_back();
  return fmt::format("{} and {}", fmt::join(named, ", "), last);
}

std::string of_agreement(const SumCheck& check) {
  const auto energy_error = check.energy_error();
  if (!energy_error) {
    return fmt::format("the sum of {} takes {}, the whole {}: {}", operations(check.parts),
                       to_text(check.summed_time), to_text(check.measured_time), percent(check.time_error()));
  }
  return fmt::format("the sum of {} takes {} and {}, the whole {} and {}: {} of time and {} of energy",
                     operations(check.parts), to_text(check.summed_time), to_text(*check.summed_energy),
                     to_text(check.measured_time), to_text(*check.measured_energy),
                     percent(check.time_error()), percent(*energy_error));
}

// The GPU waits while the whole network runs, or at least while its operations run one by one.
std::string of_host(const SumCheck& check, const SumDetails& details) {
  const std::string sum = to_text(check.summed_time), whole = to_text(check.measured_time);
  const bool within_whole = details.host && *details.host >= details.host_bound * check.measured_time;
  if (!within_whole) {
    return fmt::format(
        "the host needs {} to ask for the operations one by one, which take {} in sum: the GPU waits for it "
        "in most of them, above all in {}, while the whole takes {}",
        to_text(check.summed_host), sum, largest_kinds(check, details), whole);
  }
  const std::string waits = fmt::format("the host needs {} to ask for an iteration of {}: the GPU waits",
                                        to_text(*details.host), whole);
  if (check.summed_time > check.measured_time) {
    return fmt::format("{}, and the sum of its operations ({}) counts that waiting {:.1f} times", waits, sum,
                       (check.summed_time / check.measured_time).si());
  }
  return fmt::format("{}, and the sum of its operations ({}) leaves {} of that out", waits, sum,
                     to_text(check.measured_time - check.summed_time));
}

std::string host_share(const SumDetails& details) {
  return details.host ? fmt::format(" and the host needs only {}", to_text(*details.host)) : "";
}

// Of a sum whose time is right.
std::string of_energy(const SumCheck& check) {
  const bool more = *check.summed_energy > *check.measured_energy;
  return fmt::format("times agree ({}), but the operations need {} in sum and the whole {} ({}): {}",
                     percent(check.time_error()), to_text(*check.summed_energy),
                     to_text(*check.measured_energy), percent(*check.energy_error()),
                     more ? "alone each of them draws more power than among the others"
                          : "among the others they draw more power than each of them alone");
}

std::string of_overlap(const SumCheck& check, const SumDetails& details) {
  return fmt::format(
      "the operations take {} one by one, the whole {}{}: operations overlap, or find in caches what the one "
      "before left there; most of the sum is {}",
      to_text(check.summed_time), to_text(check.measured_time), host_share(details),
      largest_kinds(check, details));
}

std::string of_hidden_cost(const SumCheck& check, const SumDetails& details) {
  return fmt::format(
      "the whole takes {}, which is {} more than its operations one by one ({}){}: something costs time that "
      "none of them shows alone; most of the sum is {}",
      to_text(check.measured_time), to_text(check.measured_time - check.summed_time),
      to_text(check.summed_time), host_share(details), largest_kinds(check, details));
}

std::string of_missing(const SumCheck& check, const SumDetails& details) {
  if (check.parts == 0) return "which operations it consists of is not known";
  std::vector<std::string> kinds;
  for (const std::string& kind : details.missing) {
    if (kinds.size() < 3) kinds.push_back(printable(kind));
  }
  return fmt::format("{} of {} not measured ({}{}): the others take {} in sum, the whole {}", check.missing,
                     operations(check.parts), fmt::join(kinds, ", "),
                     details.missing.size() > kinds.size() ? ", ..." : "", to_text(check.summed_time),
                     to_text(check.measured_time));
}

}  // namespace

std::string explain(const SumCheck& check, const SumDetails& details) {
  const bool times_agree = std::abs(check.time_error()) <= details.tolerance;
  switch (check.reading) {
    case SumCheck::Reading::agrees:
      return of_agreement(check);
    case SumCheck::Reading::host_bound:
      return of_host(check, details);
    case SumCheck::Reading::overlap:
      return times_agree ? of_energy(check) : of_overlap(check, details);
    case SumCheck::Reading::hidden_cost:
      return times_agree ? of_energy(check) : of_hidden_cost(check, details);
    case SumCheck::Reading::incomplete:
      return of_missing(check, details);
  }
  return "";
}

}  // namespace ergon::profile
