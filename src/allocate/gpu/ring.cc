// Where the first layer runs at clock h, the ring is the path that starts and ends at h; the best path over
// all h is the best ring. Searching all h would multiply the cost. But the price of time found by one search
// is nearly right for the others: with it, one dynamic program per h gives a lower bound, and only those
// below the best known ring are searched, lowest bound first.

#include "allocate/gpu/ring.h"

#include <algorithm>
#include <vector>

#include "allocate/potential.h"

namespace ergon::allocate {
namespace {

struct StartClock {
  std::uint32_t clock = 0;
  Joules bound;
};

std::vector<StartClock> start_clocks_by_bound(Problem& problem, std::uint32_t searched, double price) {
  std::vector<StartClock> start_clocks;
  for (std::uint32_t clock = 0; clock < problem.levels; ++clock) {
    if (clock == searched) continue;
    problem.top = clock;
    const double cost = Potential(problem, 1, price).whole().cost;
    start_clocks.push_back({clock, Joules{cost - price * problem.budget.si()}});
  }
  std::sort(start_clocks.begin(), start_clocks.end(), [](const StartClock& a, const StartClock& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.clock < b.clock;
  });
  return start_clocks;
}

}  // namespace

Result<PathOptimum> minimize_ring(Problem problem, const RingLimits& limits) {
  auto best = minimize_energy(problem, limits.search);
  if (!best) return best.error();
  Joules lower_bound = best->lower_bound, dual_bound = best->dual_bound;
  std::size_t searched = 1;
  for (const StartClock& start : start_clocks_by_bound(problem, problem.top, best->time_price)) {
    dual_bound = std::min(dual_bound, start.bound);
    if (start.bound >= best->path.energy * (1 - kRounding)) break;  // so do all later ones
    problem.top = start.clock;
    if (Potential(problem, 0, 1).whole().time > problem.budget * (1 + kRounding)) continue;  // no path fits
    if (searched++ >= limits.start_clocks) {
      lower_bound = std::min(lower_bound, start.bound);
      break;
    }
    auto found = minimize_energy(problem, limits.search);
    if (!found) return found.error();
    lower_bound = std::min(lower_bound, found->lower_bound);
    if (found->path.energy < best->path.energy) best = std::move(found);
  }
  best->exact = lower_bound >= best->path.energy * (1 - kRounding);
  best->lower_bound = best->exact ? best->path.energy : lower_bound;
  best->dual_bound = std::min(dual_bound, best->lower_bound);
  return best;
}

}  // namespace ergon::allocate
