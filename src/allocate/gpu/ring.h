#pragma once

#include <cstddef>

#include "allocate/minimise.h"

namespace ergon::allocate {

struct RingLimits {
  SearchLimits search;
  std::size_t homes = 8;  // clocks to begin at that are searched; of the others only the bound is known
};

// Least energy within the budget when the layers come round again and again: the clock has to end where it
// began, wherever that is. `problem.top` is one such clock at which something fits the budget. In the result,
// lower_bound holds for all clocks to begin at, and `exact` says that none of them can be better.
Result<Optimum> minimise_ring(Problem problem, const RingLimits& limits = {});

}  // namespace ergon::allocate
