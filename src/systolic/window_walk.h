#pragma once

#include <cstdint>
#include <vector>

#include "systolic/prefetch_window.h"
#include "systolic/read_demand.h"

namespace ergon::systolic {

// A line that cannot go on before the window has moved.
struct Miss {
  std::int64_t line = 0;
  std::int64_t moves = 0;

  friend bool operator==(const Miss&, const Miss&) = default;
};

// Every miss of an operand, in order. Which lines miss depends on the sequence of words and on the window
// alone, not on when data arrive.
std::vector<Miss> walk_window(const ReadDemand& demand, const PrefetchPlan& plan);

}  // namespace ergon::systolic
