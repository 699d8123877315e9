#pragma once

#include <cstddef>

#include "allocate/problem.h"
#include "base/result.h"

namespace ergon::allocate {

// The best path found, and lower bounds on the energy of any path.
struct PathOptimum {
  Path path;
  Joules lower_bound;     // no path within the budget needs less
  Joules dual_bound;      // bound of the Lagrangian relaxation alone
  bool exact = false;     // complete search: lower_bound equals the energy of the path
  double time_price = 0;  // J/s, multiplier of dual_bound; 0 if the budget is not binding
};

struct SearchLimits {
  std::size_t labels = 2'000;       // maximum per layer
  std::size_t all_labels = 60'000;  // maximum in total, in networks of more than 100 layers
};

// Minimizes energy within the budget by label-setting dynamic programming over non-dominated partial paths.
// If there are too many, the ones with the lowest bounds are kept; lower_bound accounts for the dropped ones.
// Errors: no path fits the budget. Deterministic.
Result<PathOptimum> minimize_energy(const Problem& problem, const SearchLimits& limits = {});

}  // namespace ergon::allocate
