#pragma once

#include <optional>
#include <vector>

#include "meter/energy_curve.h"

namespace ergon::meter {

// The mean power of a time span, by a power sensor.
struct MeanPower {
  Instant begin, end;
  Seconds deviation;  // of the time of the span
  Watts power, noise;
};

// The value of the energy counter at a time.
struct CounterPoint {
  Instant at;
  Seconds deviation;
  Joules counted;
};

// All that is known about a window and its surroundings, in order of time.
struct WindowData {
  std::vector<MeanPower> readings;
  std::vector<CounterPoint> counter;
  Watts swing;  // how much power may change when work begins
};

// Energy of a window that is about as short as the period of the sensor, given readings and counter around
// it. Empty without readings.
std::optional<EnergyBetween> window_posterior(const WindowData& data, Instant from, Instant to);

}  // namespace ergon::meter
