#pragma once

#include <optional>

#include "allocate/gpu/gpu_plan.h"

namespace ergon::allocate {

// Switch time below which per-operation clocks save energy.
struct BreakEven {
  // The longest switch time at which the best schedule saves at least `min_saving`. Empty if it does not even
  // at `shortest`; equal to `longest` if it does there.
  std::optional<Seconds> switch_time;
  Seconds shortest, longest;  // range that was searched
  double min_saving = 0;      // share of the energy of the best single clock
  double saving_at_shortest = 0;
};

struct BreakEvenOptions {
  double slack = 0;
  double min_saving = 0.01;
  Seconds shortest{10e-9}, longest{1};
};

// Bisection in log(time) to 0.25 %. The saving does not rise with the switch time, so the point is unique.
Result<BreakEven> break_even(const GpuWork& work, const BreakEvenOptions& question);

// The saving at one switch time, relative to the best single clock.
Result<double> saving_at(const GpuWork& work, const BreakEvenOptions& question, Seconds switch_time);

}  // namespace ergon::allocate
