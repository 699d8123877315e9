#include "control/summary.h"

#include <algorithm>
#include <cmath>

namespace ergon::control {
namespace {

constexpr double kMinChange = 0.03;

// Index of the first decision after the last change of cap or of throughput by more than kMinChange.
std::size_t settled_at(const CapRun& run) {
  const auto& decisions = run.decisions;
  std::size_t settled = 0;
  for (std::size_t i = 0; i + 1 < decisions.size(); ++i) {
    const Feedback &before = decisions[i].feedback, &after = decisions[i + 1].feedback;
    if (before.point == after.point && before.cap == after.cap) continue;
    const double change = after.throughput() / before.throughput() - 1;
    if (std::abs(change) > kMinChange || before.cap != after.cap) settled = i + 1;
  }
  return settled;
}

void add_power(const CapRun& run, Seconds settled, Summary& summary) {
  Joules energy;
  Seconds time, longest;
  for (const auto& [segment, cap] : run.segments) {
    const Seconds lasted = segment.to - segment.from;
    energy += segment.power * lasted;
    time += lasted;
    summary.max_power = std::max(summary.max_power, segment.power);
    if (segment.power <= cap) {
      longest = Seconds{0};
      continue;
    }
    longest += lasted;
    summary.violation += lasted;
    summary.violation_energy += (segment.power - cap) * lasted;
    summary.longest_violation = std::max(summary.longest_violation, longest);
    if (segment.from >= settled) summary.violation_after_settling += lasted;
  }
  if (time > Seconds{0}) summary.mean_power = energy / time;
}

}  // namespace

Summary summary_of(const CapRun& run) {
  Summary summary;
  summary.decisions = run.decisions.size();
  if (run.decisions.empty()) return summary;
  summary.settled_decisions = settled_at(run);
  double batch = 0, clock = 0, settled_samples = 0;
  Seconds settled_time, clocked, watched;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const Feedback& feedback = run.decisions[i].feedback;
    watched += feedback.lasted;
    summary.samples += feedback.samples;
    batch += static_cast<double>(feedback.point.batch) * feedback.lasted.si();
    if (feedback.point.clock) {
      clock += feedback.point.clock->si() * feedback.lasted.si();
      clocked += feedback.lasted;
    }
    if (i > 0 && feedback.point != run.decisions[i - 1].feedback.point) ++summary.changes;
    if (i < summary.settled_decisions) {
      summary.settled_after = feedback.at;
    } else {
      settled_samples += feedback.samples;
      settled_time += feedback.lasted;
    }
  }
  summary.lasted = run.decisions.back().feedback.at;
  summary.throughput = summary.samples / summary.lasted.si();
  summary.mean_batch = batch / watched.si();
  if (clocked > Seconds{0}) summary.mean_clock = Hertz{clock / clocked.si()};
  if (settled_time > Seconds{0}) summary.settled_throughput = settled_samples / settled_time.si();
  // Until the new clock is in force, readings still show the previous point.
  constexpr Seconds kClockLag{0.1};
  add_power(run, summary.settled_after + kClockLag, summary);
  if (const auto p99 = run.latencies.quantile(0.99)) summary.latency = Seconds{*p99};
  return summary;
}

}  // namespace ergon::control
