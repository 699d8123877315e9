#pragma once

#include <cstdint>

#include "base/contract.h"

namespace ergon::fleet::synthetic {

// The purpose of random numbers. Each purpose has its own sequence, so more numbers for one do not change
// another.
enum class Purpose : std::uint8_t {
  traits,
  pool,
  serial,
  gpu_name,
  jobs,
  board,
  task,
  task_name,
  bursts,
  logger,
  losses
};

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), a generator with
// eight bytes of state. A fleet has several per GPU; the 2.5 KB of base/random.h would add up. No function of
// the math library is used, because its last digit differs between machines.
class RandomStream {
 public:
  // Equal arguments give equal sequences. `one` and `other` are indices within the purpose.
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t one = 0, std::uint64_t other = 0)
      : state_(mix(mix(mix(mix(seed) + static_cast<std::uint64_t>(purpose)) + one) + other)) {}

  std::uint64_t bits() { return mix(state_ += kStep); }

  // In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double min, double max) { return min + (max - min) * uniform(); }

  bool bernoulli(double probability) { return uniform() < probability; }

  // In [0, bound). Contract: a bound from 1 to 2^32; the bias is below bound / 2^32.
  std::uint64_t below(std::uint64_t bound) {
    ERGON_EXPECTS(bound > 0 && bound <= (std::uint64_t{1} << 32));
    return ((bits() >> 32) * bound) >> 32;
  }

  // Approximately standard normal: the sum of four uniform numbers, limited to +-3.47.
  double approximate_normal() {
    constexpr double kMean = 4 * 65535.0 / 2, kPerDeviation = 1 / 37837.2275;  // sqrt(4 (2^32 - 1) / 12)
    const std::uint64_t drawn = bits();
    const std::uint64_t sum =
        (drawn & 0xffff) + ((drawn >> 16) & 0xffff) + ((drawn >> 32) & 0xffff) + (drawn >> 48);
    return (static_cast<double>(sum) - kMean) * kPerDeviation;
  }

  // Hash of a number.
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  std::uint64_t state_;
};

}  // namespace ergon::fleet::synthetic
