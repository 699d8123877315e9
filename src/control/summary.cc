#include "control/summary.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

constexpr double kDifference = 0.03;

// The last decision after which the point was another one that brought clearly more or less.
std::size_t settled_at(const Run& run) {
  const auto& decisions = run.decisions;
  std::size_t settled = 0;
  for (std::size_t i = 0; i + 1 < decisions.size(); ++i) {
    const Reading &before = decisions[i].reading, &behind = decisions[i + 1].reading;
    if (before.point == behind.point && before.cap == behind.cap) continue;
    const double change = behind.throughput() / before.throughput() - 1;
    if (std::abs(change) > kDifference || before.cap != behind.cap) settled = i + 1;
  }
  return settled;
}

void add_power(const Run& run, Seconds settled, Summary& summary) {
  Joules energy;
  Seconds time, longest;
  for (const auto& [stretch, cap] : run.pieces) {
    const Seconds lasted = stretch.to - stretch.from;
    energy += stretch.power * lasted;
    time += lasted;
    summary.most_power = std::max(summary.most_power, stretch.power);
    if (stretch.power <= cap) {
      longest = Seconds{0};
      continue;
    }
    longest += lasted;
    summary.violation += lasted;
    summary.violation_energy += (stretch.power - cap) * lasted;
    summary.longest_violation = std::max(summary.longest_violation, longest);
    if (stretch.from >= settled) summary.violation_once_settled += lasted;
  }
  if (time > Seconds{0}) summary.mean_power = energy / time;
}

}  // namespace

Summary summary_of(const Run& run) {
  Summary summary;
  summary.decisions = run.decisions.size();
  if (run.decisions.empty()) return summary;
  summary.settled_decisions = settled_at(run);
  double batch = 0, clock = 0, settled_samples = 0;
  Seconds settled_time, clocked, watched;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const Reading& reading = run.decisions[i].reading;
    watched += reading.lasted;
    summary.samples += reading.samples;
    batch += static_cast<double>(reading.point.batch) * reading.lasted.si();
    if (reading.point.clock) {
      clock += reading.point.clock->si() * reading.lasted.si();
      clocked += reading.lasted;
    }
    if (i > 0 && reading.point != run.decisions[i - 1].reading.point) ++summary.changes;
    if (i < summary.settled_decisions) {
      summary.settled_after = reading.at;
    } else {
      settled_samples += reading.samples;
      settled_time += reading.lasted;
    }
  }
  summary.lasted = run.decisions.back().reading.at;
  summary.throughput = summary.samples / summary.lasted.si();
  summary.mean_batch = batch / watched.si();
  if (clocked > Seconds{0}) summary.mean_clock = Hertz{clock / clocked.si()};
  if (settled_time > Seconds{0}) summary.settled_throughput = settled_samples / settled_time.si();
  // A clock needs its time to change, and the point before shows until then.
  constexpr Seconds kUntilItShows{0.1};
  add_power(run, summary.settled_after + kUntilItShows, summary);
  if (const auto late = run.latencies.quantile(0.99)) summary.latency = Seconds{*late};
  return summary;
}

}  // namespace ergon::control
