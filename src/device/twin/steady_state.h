#pragma once

#include <optional>

#include "base/result.h"
#include "device/twin/load.h"

namespace ergon::device {

// Mean power of repeated iterations at a clock and a temperature.
Watts power_of(const Activity& activity, const Specification& gpu, Hertz clock, Celsius temperature);

// Idle power with an open context.
Watts resident_power(const Specification& gpu, Hertz clock, Celsius temperature);

// Thermal equilibrium: the temperature at which dissipated and removed heat are equal, and the power there.
struct Equilibrium {
  Watts power;
  Celsius temperature;
};
Equilibrium equilibrium_of(const Activity& activity, const Specification& gpu, Hertz clock);

// Requested clock and power limit. Defaults: the highest clock and the board's default limit.
struct ClockAndLimit {
  std::optional<Hertz> clock;
  std::optional<Watts> limit;
};

// Errors: an unsupported clock or power limit.
Result<> check(const ClockAndLimit& setting, const Specification& gpu);

// Steady state, after temperature and clock have settled.
struct SteadyState {
  Hertz clock;  // mean; at the power limit the GPU alternates between two steps
  Activity activity;
  Watts power;
  Celsius temperature;
  bool limited = false;     // the power limit or the temperature lowers the clock
  bool limits_held = true;  // false if even the lowest clock exceeds the power limit or the temperature
};

// Contract: check() succeeded.
SteadyState steady_state(const Load& load, const Specification& gpu, const ClockAndLimit& setting);

// The highest clock up to `requested` at which power and temperature stay within their limits.
template <typename ActivityAt>
Hertz regulated_clock(const ActivityAt& activity_at, const Specification& gpu, Hertz requested, Watts limit) {
  const auto fits = [&](Hertz clock) {
    const Equilibrium at = equilibrium_of(activity_at(clock), gpu, clock);
    return at.power <= limit && at.temperature <= gpu.thermal.slowdown;
  };
  if (fits(requested)) return requested;
  Hertz low = gpu.core.min, high = requested;
  if (!fits(low)) return low;
  constexpr int kHalvings = 30;
  for (int i = 0; i < kHalvings; ++i) {
    const Hertz middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ergon::device
