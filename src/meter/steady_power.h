#pragma once

#include <cstdint>
#include <span>

#include "base/units.h"

namespace ergon::meter {

// Power of work that is repeated, after C. Nicolai, "On Energy Modeling of Deep Neural Network Operations"
// (equations 3.1 to 3.3): readings further than three standard deviations from the mean are where the work
// began or ended, and are left out.
struct SteadyPower {
  Watts mean;
  Watts spread;  // the standard deviation of one reading
  std::size_t kept = 0, dropped = 0;
};
// Nothing is dropped from fewer than two readings; none give a mean of 0.
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
