#pragma once

#include <cstddef>

#include "device/twin/operating_point.h"

namespace ergon::device {

// What holds the clock below the one asked for.
struct Throttle {
  bool power = false, heat = false;

  explicit operator bool() const { return power || heat; }
  friend bool operator==(const Throttle&, const Throttle&) = default;
};

// Chooses the clock for the next period, from the grid, so that neither the power limit nor the temperature
// of slowdown is passed. Once power is above the limit at the end of a period, it is not above it during the
// next: no load exceeds the limit for longer than a period. Where even the lowest clock is too much, that is
// the choice.
class Regulator {
 public:
  explicit Regulator(const Specification& gpu) : period_(gpu.limit.period), slowdown_(gpu.thermal.slowdown) {}

  // What it sees at the end of a period.
  struct Sight {
    std::size_t step;     // that the chip runs at
    std::size_t ceiling;  // the highest step that is asked for
    Watts limit;
    Celsius temperature;
    Joules drawn;  // during the period
  };
  struct Choice {
    std::size_t step = 0;
    Throttle throttle;
  };
  Choice choose(OperatingPoints& points, const Sight& sight);

  // The highest step up to the ceiling at which both are kept during the next period.
  std::size_t highest_within(OperatingPoints& points, std::size_t ceiling, Watts limit, Celsius temperature);

 private:
  bool cool(const OperatingPoint& point, Celsius temperature) const;

  Seconds period_;
  Celsius slowdown_;
  std::size_t within_ = 0;  // what highest_within() found last: where it begins to look
  Joules spare_;            // what was left below the limit and may be drawn above it
};

}  // namespace ergon::device
