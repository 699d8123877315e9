#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/units.h"

namespace ergon::sweep {

// A clock and what a cost is there.
struct CostAt {
  Hertz clock;
  double cost = 0;
  std::optional<double> error = {};  // its standard error, as a share of it
};

// The clock that costs least, and what it would cost to miss it.
struct Optimum {
  struct Neighbour {
    Hertz clock;
    double more = 0;  // share by which it costs more

    friend bool operator==(const Neighbour&, const Neighbour&) = default;
  };
  struct Range {
    Hertz low, high;

    friend bool operator==(const Range&, const Range&) = default;
  };
  Hertz clock;
  double cost = 0;
  std::optional<Neighbour> lower, higher;  // absent at an end of the clocks
  Hertz flat_low, flat_high;               // around it, all clocks that cost at most 1 % more
  // From the lowest to the highest clock that cannot be told from it: whose cost is within 1 %, or within two
  // standard errors of the difference. Absent where errors are not known.
  std::optional<Range> interval;

  friend bool operator==(const Optimum&, const Optimum&) = default;
};

inline constexpr double kFlat = 0.01;

// Of equal costs the higher clock is taken. Absent for fewer than two clocks. Contract: clocks ascend, costs
// are above 0; all have an error or none.
std::optional<Optimum> find_optimum(std::span<const CostAt> costs);

}  // namespace ergon::sweep
