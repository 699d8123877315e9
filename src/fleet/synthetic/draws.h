#pragma once

#include <cstdint>

#include "base/contract.h"

namespace ergon::fleet::synthetic {

// What a number is drawn for. Each purpose has its own sequence, so that drawing more for one changes no
// other.
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

// A generator of eight bytes: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
// 2014). A fleet keeps several per GPU, where the 2.5 KB of base/random.h would add up; and nothing here goes
// through the mathematical library, whose last digit differs between machines.
class Draws {
 public:
  // Equal arguments give equal sequences. `one` and `other` say which of the things of that purpose it is.
  Draws(std::uint64_t seed, Purpose purpose, std::uint64_t one = 0, std::uint64_t other = 0)
      : state_(mixed(mixed(mixed(mixed(seed) + static_cast<std::uint64_t>(purpose)) + one) + other)) {}

  std::uint64_t bits() { return mixed(state_ += kStep); }

  // In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double least, double most) { return least + (most - least) * uniform(); }

  bool happens(double share) { return uniform() < share; }

  // In [0, bound). Contract: a bound from 1 to 2^32; the bias is below bound / 2^32.
  std::uint64_t below(std::uint64_t bound) {
    ERGON_EXPECTS(bound > 0 && bound <= (std::uint64_t{1} << 32));
    return ((bits() >> 32) * bound) >> 32;
  }

  // Like a normal deviate of mean 0 and deviation 1, but never beyond 3.47: the sum of four uniform numbers.
  double bell() {
    constexpr double kMean = 4 * 65535.0 / 2, kPerDeviation = 1 / 37837.2275;  // sqrt(4 (2^32 - 1) / 12)
    const std::uint64_t drawn = bits();
    const std::uint64_t sum =
        (drawn & 0xffff) + ((drawn >> 16) & 0xffff) + ((drawn >> 32) & 0xffff) + (drawn >> 48);
    return (static_cast<double>(sum) - kMean) * kPerDeviation;
  }

  // A scrambled number, for things that are looked up rather than drawn.
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  std::uint64_t state_;
};

}  // namespace ergon::fleet::synthetic
