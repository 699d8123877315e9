#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "base/contract.h"

namespace ergon {

// Random numbers that depend on the seed only, not on the compiler: the standard specifies the engine but not
// the distributions, so the few that are needed are implemented here.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  // Uniform in [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  // Uniform in [0, bound), without bias (rejection sampling).
  std::uint64_t below(std::uint64_t bound) {
    ERGON_EXPECTS(bound > 0);
    const std::uint64_t rest = (UINT64_MAX % bound + 1) % bound;
    for (;;) {
      const std::uint64_t drawn = engine_();
      if (drawn <= UINT64_MAX - rest) return drawn % bound;
    }
  }

  // Standard normal, by Box and Muller (1958); the second value of the pair is discarded.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ergon
