#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "allocate/gpu/gpu_scheme.h"
#include "allocate/gpu/gpu_work.h"

namespace ergon::allocate {

// A clock for every step of an iteration, and what an iteration comes to.
//
// Iterations follow each other, so that the steps are a ring: the clock of the last step has to become that
// of the first again, and one clock for everything, once locked, never changes.
struct GpuSchedule {
  GpuScheme scheme = GpuScheme::race_to_idle;
  std::vector<Hertz> clocks;  // of each step
  std::size_t changes = 0;    // of the clock in an iteration, the one back to the first step's included
  Seconds time;               // changes included, except `ideal`'s
  Joules energy;

  // Where it is the result of a search: no schedule over the clocks that were searched, in the time allowed,
  // takes less.
  std::optional<Joules> lower_bound;
};

// Adds up. Contract: a clock for each step.
GpuSchedule evaluate(const GpuWork& work, GpuScheme scheme, std::vector<Hertz> clocks, Seconds switch_time);

// Steps in a row at the same clock.
struct ClockRun {
  std::size_t first = 0, count = 0;
  Hertz clock;
  Seconds time;  // changes not included
  Joules energy;
};
std::vector<ClockRun> clock_runs(const GpuWork& work, const GpuSchedule& schedule);

}  // namespace ergon::allocate
