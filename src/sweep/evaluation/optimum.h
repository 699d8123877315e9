#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/units.h"

namespace ergon::sweep {

// The cost at a clock.
struct ClockCost {
  Hertz clock;
  double cost = 0;
  std::optional<double> error = {};  // relative standard error
};

// The clock of minimum cost, and the costs of clocks near it.
struct ClockOptimum {
  struct Neighbor {
    Hertz clock;
    double more = 0;  // relative increase of the cost

    friend bool operator==(const Neighbor&, const Neighbor&) = default;
  };
  struct Range {
    Hertz low, high;

    friend bool operator==(const Range&, const Range&) = default;
  };
  Hertz clock;
  double cost = 0;
  std::optional<Neighbor> lower, higher;  // absent at the ends of the range
  Hertz flat_low, flat_high;              // contiguous range of clocks that cost at most 1 % more
  // From the lowest to the highest clock whose cost does not differ significantly: within 1 %, or within two
  // standard errors of the difference. Absent if errors are unknown.
  std::optional<Range> interval;

  friend bool operator==(const ClockOptimum&, const ClockOptimum&) = default;
};

inline constexpr double kFlat = 0.01;

// The higher clock of equal costs. Absent for fewer than two clocks. Contract: clocks ascend, costs are above
// 0, and all or none have an error.
std::optional<ClockOptimum> find_optimum(std::span<const ClockCost> costs);

}  // namespace ergon::sweep
