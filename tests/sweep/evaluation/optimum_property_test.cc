#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sweep/evaluation/optimum.h"

namespace ergon::sweep {
namespace {

std::vector<ClockCost> some_costs() {
  // Few distinct values, so that there are ties.
  const auto costs = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 12)));
  std::vector<ClockCost> result;
  for (std::size_t i = 0; i < costs.size(); ++i)
    result.push_back({Hertz{1e8 * static_cast<double>(i + 1)}, 100.0 + costs[i]});
  return result;
}

RC_GTEST_PROP(OptimumProperty, EqualsBruteForce, ()) {
  const auto costs = some_costs();
  const auto optimum = find_optimum(costs);
  RC_ASSERT(optimum.has_value() == (costs.size() > 1));
  if (!optimum) return;
  for (const ClockCost& one : costs) {
    RC_ASSERT(one.cost >= optimum->cost);
    if (one.cost == optimum->cost) RC_ASSERT(one.clock <= optimum->clock);
    if (one.clock == optimum->clock) RC_ASSERT(one.cost == optimum->cost);
    const bool next_below = one.clock.si() == optimum->clock.si() - 1e8;
    const bool next_above = one.clock.si() == optimum->clock.si() + 1e8;
    if (next_below)
      RC_ASSERT(optimum->lower == (ClockOptimum::Neighbor{one.clock, one.cost / optimum->cost - 1}));
    if (next_above)
      RC_ASSERT(optimum->higher == (ClockOptimum::Neighbor{one.clock, one.cost / optimum->cost - 1}));
    // All clocks of the flat range are within 1 %, and the next ones are not.
    const bool flat = one.cost / optimum->cost - 1 <= kFlat;
    if (one.clock >= optimum->flat_low && one.clock <= optimum->flat_high) RC_ASSERT(flat);
    if (one.clock.si() == optimum->flat_low.si() - 1e8) RC_ASSERT(!flat);
    if (one.clock.si() == optimum->flat_high.si() + 1e8) RC_ASSERT(!flat);
  }
  RC_ASSERT(optimum->lower.has_value() == (optimum->clock > costs.front().clock));
  RC_ASSERT(optimum->higher.has_value() == (optimum->clock < costs.back().clock));
}

// The interval contains every clock that does not differ significantly from the best, and ends at two of
// them.
RC_GTEST_PROP(OptimumProperty, ClocksOutsideTheIntervalDifferSignificantly, ()) {
  auto costs = some_costs();
  const auto error = *rc::gen::inRange(0, 40) / 1000.0;
  RC_PRE(costs.size() > 1);
  RC_ASSERT(!find_optimum(costs)->interval);
  for (ClockCost& one : costs) one.error = error;
  const ClockOptimum optimum = *find_optimum(costs);
  RC_ASSERT(optimum.interval.has_value());
  const auto like = [&](const ClockCost& one) {
    return one.cost / optimum.cost - 1 <= std::max(0.01, 2 * std::hypot(error, error));
  };
  for (const ClockCost& one : costs) {
    const bool inside = one.clock >= optimum.interval->low && one.clock <= optimum.interval->high;
    if (!inside) RC_ASSERT(!like(one));
    if (one.clock == optimum.interval->low || one.clock == optimum.interval->high) RC_ASSERT(like(one));
  }
  RC_ASSERT(optimum.interval->low <= optimum.flat_low && optimum.interval->high >= optimum.flat_high);
}

}  // namespace
}  // namespace ergon::sweep
