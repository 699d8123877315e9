#pragma once

#include <cstddef>

#include "device/twin/operating_point.h"

namespace ergon::device {

// What keeps the clock below the requested one.
struct Throttle {
  bool power = false, heat = false;

  explicit operator bool() const { return power || heat; }
  friend bool operator==(const Throttle&, const Throttle&) = default;
};

// Chooses the clock step of the next period so that neither the power limit nor the slowdown temperature is
// exceeded. If power is above the limit at the end of a period, it is within the limit during the next one,
// so no load exceeds the limit for longer than one period. If even the lowest clock draws too much, it is
// chosen.
class Regulator {
 public:
  explicit Regulator(const Specification& gpu) : period_(gpu.limit.period), slowdown_(gpu.thermal.slowdown) {}

  // State at the end of a period.
  struct PeriodEnd {
    std::size_t step;     // current clock step
    std::size_t ceiling;  // highest permitted step
    Watts limit;
    Celsius temperature;
    Joules drawn;  // energy during the period
  };
  struct NextStep {
    std::size_t step = 0;
    Throttle throttle;
  };
  NextStep choose(OperatingPoints& points, const PeriodEnd& state);

  // The highest step up to the ceiling that keeps both limits during the next period.
  std::size_t highest_within(OperatingPoints& points, std::size_t ceiling, Watts limit, Celsius temperature);

 private:
  bool stays_cool(const OperatingPoint& point, Celsius temperature) const;

  Seconds period_;
  Celsius slowdown_;
  std::size_t within_ = 0;  // last result of highest_within(): where the next search starts
  Joules spare_;            // energy saved below the limit, which may be spent above it
};

}  // namespace ergon::device
