#pragma once

#include <cstddef>
#include <span>

#include "base/units.h"

namespace ergon::meter {

// Power of repeated work, after C. Nicolai, "On Energy Modeling of Deep Neural Network Operations" (equations
// 3.1 to 3.3). Readings more than three standard deviations from the mean belong to the start or end of the
// work and are excluded.
struct SteadyPower {
  Watts mean;
  Watts spread;  // standard deviation of one reading
  std::size_t kept = 0, dropped = 0;
};
// Fewer than two readings: none is dropped. No readings: the mean is 0.
SteadyPower steady_power(std::span<const Watts> readings);

}  // namespace ergon::meter
