#pragma once

#include <optional>

#include "allocate/gpu/gpu_plan.h"

namespace ergon::allocate {

// How fast a change of clock would have to be.
struct BreakEven {
  // The longest change of clock at which the best schedule still saves `worth`; none when it does not even at
  // `shortest`. `longest` when it does even there.
  std::optional<Seconds> switch_time;
  Seconds shortest, longest;  // that were tried
  double worth = 0;           // share of energy less than the better of race to idle and one clock, to pay
  double saves_at_shortest = 0;
};

struct BreakEvenQuestion {
  double slack = 0;
  double worth = 0.01;
  Seconds shortest{10e-9}, longest{1};
};

// By halving, in equal ratios, to a quarter of a percent. A longer change of clock never saves more, so that
// there is one such point.
Result<BreakEven> break_even(const GpuWork& work, const BreakEvenQuestion& question);

// The saving at one time for a change, over the same clocks: what is halved on.
Result<double> saving_at(const GpuWork& work, const BreakEvenQuestion& question, Seconds switch_time);

}  // namespace ergon::allocate
