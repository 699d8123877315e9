#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "allocate/gpu/gpu_scheme.h"
#include "allocate/gpu/gpu_work.h"

namespace ergon::allocate {

// A clock for every step of an iteration, with time and energy of an iteration.
//
// Iterations repeat, so the steps form a ring: the switch from the last step to the first counts, and a
// single locked clock never switches.
struct GpuSchedule {
  GpuScheme scheme = GpuScheme::race_to_idle;
  std::vector<Hertz> clocks;  // of each step
  std::size_t switches = 0;   // per iteration, including the one back to the first step
  Seconds time;               // switches included, except for `ideal`
  Joules energy;

  // Lower bound over the searched clocks within the allowed time, if the schedule is the result of a search.
  std::optional<Joules> lower_bound;
};

// Sums time and energy. Contract: one clock per step.
GpuSchedule evaluate(const GpuWork& work, GpuScheme scheme, std::vector<Hertz> clocks, Seconds switch_time);

// Consecutive steps at the same clock.
struct ClockRun {
  std::size_t first = 0, count = 0;
  Hertz clock;
  Seconds time;  // without switches
  Joules energy;
};
std::vector<ClockRun> clock_runs(const GpuWork& work, const GpuSchedule& schedule);

}  // namespace ergon::allocate
