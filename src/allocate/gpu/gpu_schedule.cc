#include "allocate/gpu/gpu_schedule.h"

#include <utility>

#include "base/contract.h"

namespace ergon::allocate {

GpuSchedule evaluate(const GpuWork& work, GpuScheme scheme, std::vector<Hertz> clocks, Seconds switch_time) {
  ERGON_EXPECTS(clocks.size() == work.steps().size());
  GpuSchedule schedule{.scheme = scheme, .clocks = std::move(clocks)};
  Hertz before = schedule.clocks.back();
  for (std::size_t step = 0; step < schedule.clocks.size(); ++step) {
    const Hertz clock = schedule.clocks[step];
    const StepCost cost = work.at(step, clock);
    schedule.time += cost.time;
    schedule.energy += cost.energy;
    if (clock != before) ++schedule.switches;
    before = clock;
  }
  if (scheme == GpuScheme::ideal) return schedule;
  const Seconds switching = switch_time * static_cast<double>(schedule.switches);
  schedule.time += switching;
  schedule.energy += work.switch_power() * switching;
  return schedule;
}

std::vector<ClockRun> clock_runs(const GpuWork& work, const GpuSchedule& schedule) {
  std::vector<ClockRun> runs;
  for (std::size_t step = 0; step < schedule.clocks.size(); ++step) {
    const Hertz clock = schedule.clocks[step];
    if (runs.empty() || runs.back().clock != clock) runs.push_back({step, 0, clock, {}, {}});
    const StepCost cost = work.at(step, clock);
    ++runs.back().count;
    runs.back().time += cost.time;
    runs.back().energy += cost.energy;
  }
  return runs;
}

}  // namespace ergon::allocate
