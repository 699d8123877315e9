// A ring is a path whose begin is not known. Where the first layer runs at clock h, the ring is the path that
// begins and ends at h, so that the best of all paths over all h is the best ring. Searching them all would
// take as many searches as there are clocks. But the price of time that one search has found is nearly right
// for the others: with it, one dynamic programme gives each h a lower bound, and only those whose bound lies
// below the best ring known are searched, the most promising first.

#include "allocate/gpu/ring.h"

#include <algorithm>
#include <vector>

#include "allocate/potential.h"

namespace ergon::allocate {
namespace {

struct Home {
  std::uint32_t clock = 0;
  Joules bound;
};

std::vector<Home> homes_by_promise(Problem& problem, std::uint32_t searched, double price) {
  std::vector<Home> homes;
  for (std::uint32_t clock = 0; clock < problem.levels; ++clock) {
    if (clock == searched) continue;
    problem.top = clock;
    const double cost = Potential(problem, 1, price).whole().cost;
    homes.push_back({clock, Joules{cost - price * problem.budget.si()}});
  }
  std::sort(homes.begin(), homes.end(), [](const Home& a, const Home& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.clock < b.clock;
  });
  return homes;
}

}  // namespace

Result<Optimum> minimise_ring(Problem problem, const RingLimits& limits) {
  auto best = minimise_energy(problem, limits.search);
  if (!best) return best.error();
  Joules lower_bound = best->lower_bound, dual_bound = best->dual_bound;
  std::size_t searched = 1;
  for (const Home& home : homes_by_promise(problem, problem.top, best->time_price)) {
    dual_bound = std::min(dual_bound, home.bound);
    if (home.bound >= best->path.energy * (1 - kRounding)) break;  // and all that follow
    problem.top = home.clock;
    if (Potential(problem, 0, 1).whole().time > problem.budget * (1 + kRounding)) continue;  // nothing fits
    if (searched++ >= limits.homes) {
      lower_bound = std::min(lower_bound, home.bound);
      break;
    }
    auto found = minimise_energy(problem, limits.search);
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
