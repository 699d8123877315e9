#pragma once

#include <optional>

#include "base/result.h"
#include "device/twin/load.h"

namespace ergon::device {

// Power at a clock and a temperature while iterations follow each other.
Watts power_of(const Activity& activity, const Specification& gpu, Hertz clock, Celsius temperature);

// Power with a context open and nothing running.
Watts resident_power(const Specification& gpu, Hertz clock, Celsius temperature);

// The temperature at which the heat that is made leaves, and the power there.
struct Equilibrium {
  Watts power;
  Celsius temperature;
};
Equilibrium equilibrium_of(const Activity& activity, const Specification& gpu, Hertz clock);

// What somebody asks of a GPU; without a wish, the highest clock and the usual limit.
struct Setting {
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
};

// Errors: a clock or a limit that the GPU does not have.
Result<> check(const Setting& setting, const Specification& gpu);

// After temperature and clock have settled.
struct SteadyState {
  Hertz clock;  // the mean; under a limit the GPU goes to and fro between two steps
  Activity activity;
  Watts power;
  Celsius temperature;
  bool limited = false;  // the limit or the temperature holds the clock down
  bool kept = true;      // false: even the lowest clock draws more than was asked for, or runs too hot
};

// Contract: check() has passed.
SteadyState steady_state(const Load& load, const Specification& gpu, const Setting& setting);

// The highest clock up to `asked` at which power stays within `limit` and the chip stays cool.
template <typename ActivityAt>
Hertz regulated_clock(const ActivityAt& activity_at, const Specification& gpu, Hertz asked, Watts limit) {
  const auto fits = [&](Hertz clock) {
    const Equilibrium at = equilibrium_of(activity_at(clock), gpu, clock);
    return at.power <= limit && at.temperature <= gpu.thermal.slowdown;
  };
  if (fits(asked)) return asked;
  Hertz low = gpu.core.least, high = asked;
  if (!fits(low)) return low;
  constexpr int kHalvings = 30;
  for (int i = 0; i < kHalvings; ++i) {
    const Hertz middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ergon::device
