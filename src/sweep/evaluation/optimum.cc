#include "sweep/evaluation/optimum.h"

#include <algorithm>
#include <cmath>

namespace ergon::sweep {
namespace {

constexpr double kErrors = 2;  // standard errors of a significant difference

std::optional<ClockOptimum::Range> range_like(std::span<const ClockCost> costs, const ClockCost& best) {
  if (!best.error) return std::nullopt;
  ClockOptimum::Range range{best.clock, best.clock};
  for (const ClockCost& one : costs) {
    const double both = std::hypot(one.error.value_or(0), *best.error);
    if (one.cost / best.cost - 1 > std::max(kFlat, kErrors * both)) continue;
    range.low = std::min(range.low, one.clock);
    range.high = std::max(range.high, one.clock);
  }
  return range;
}

}  // namespace

std::optional<ClockOptimum> find_optimum(std::span<const ClockCost> costs) {
  if (costs.size() < 2) return std::nullopt;
  std::size_t best = 0;
  for (std::size_t i = 1; i < costs.size(); ++i) {
    if (costs[i].cost <= costs[best].cost) best = i;
  }
  const auto more = [&](std::size_t i) { return costs[i].cost / costs[best].cost - 1; };
  std::size_t low = best, high = best;
  while (low > 0 && more(low - 1) <= kFlat) --low;
  while (high + 1 < costs.size() && more(high + 1) <= kFlat) ++high;

  ClockOptimum optimum;
  optimum.clock = costs[best].clock;
  optimum.cost = costs[best].cost;
  optimum.flat_low = costs[low].clock;
  optimum.flat_high = costs[high].clock;
  optimum.interval = range_like(costs, costs[best]);
  if (best > 0) optimum.lower = {costs[best - 1].clock, more(best - 1)};
  if (best + 1 < costs.size()) optimum.higher = {costs[best + 1].clock, more(best + 1)};
  return optimum;
}

}  // namespace ergon::sweep
