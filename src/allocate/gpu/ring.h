#pragma once

#include <cstddef>

#include "allocate/minimize.h"

namespace ergon::allocate {

struct RingLimits {
  SearchLimits search;
  std::size_t start_clocks = 8;  // number of start clocks to search; only bounds are computed for the others
};

// Minimizes energy within the budget for a repeating sequence of layers: the clock ends where it started, at
// any level. `problem.top` must be a start clock for which a path fits the budget. lower_bound and `exact` of
// the result cover all start clocks.
Result<PathOptimum> minimize_ring(Problem problem, const RingLimits& limits = {});

}  // namespace ergon::allocate
