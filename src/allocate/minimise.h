#pragma once

#include <cstddef>

#include "allocate/problem.h"
#include "base/result.h"

namespace ergon::allocate {

// The best schedule that was found, and how good any schedule could be.
struct Optimum {
  Path path;
  Joules lower_bound;     // no schedule within the budget takes less
  Joules dual_bound;      // what the Lagrangian relaxation alone says
  bool exact = false;     // the search was complete: lower_bound is the path's own energy
  double time_price = 0;  // J/s, at which the relaxation gives dual_bound; 0 where the budget does not bind
};

struct SearchLimits {
  std::size_t labels = 2'000;       // kept per layer,
  std::size_t all_labels = 60'000;  // and, in networks of more than a hundred layers, in all
};

// Least energy within the budget, by dynamic programming over what remains undominated. Where too much
// remains, the most promising part of it is kept, and the lower bound says what the rest could have given at
// best. Fails when nothing fits into the budget. Deterministic.
Result<Optimum> minimise_energy(const Problem& problem, const SearchLimits& limits = {});

}  // namespace ergon::allocate
