#pragma once

#include <cstdint>
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

// A value and its standard deviation.
template <typename Q>
struct Uncertain {
  Q value, deviation;
};

// Total and per iteration (equations 3.4 to 3.9). Contract: at least one iteration.
struct RepeatedWork {
  Uncertain<Joules> energy, energy_per_iteration;
  Uncertain<Seconds> time_per_iteration;
};
RepeatedWork repeated_work(const SteadyPower& power, Uncertain<Seconds> time, std::uint64_t iterations);

}  // namespace ergon::meter
