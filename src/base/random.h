#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "base/contract.h"

namespace ergon {

// Random numbers that are the same for the same seed with every compiler: the standard fixes the engine but
// not the distributions, so the few that are needed are written here.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  // Uniform in [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  // Uniform in [0, bound), without bias: values from the incomplete last round are thrown away.
  std::uint64_t below(std::uint64_t bound) {
    ERGON_EXPECTS(bound > 0);
    const std::uint64_t rest = (UINT64_MAX % bound + 1) % bound;
    for (;;) {
      const std::uint64_t drawn = engine_();
      if (drawn <= UINT64_MAX - rest) return drawn % bound;
    }
  }

  // Of mean 0 and deviation 1, after Box and Muller (1958): one of the pair.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ergon
