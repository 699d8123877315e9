#pragma once

#include <optional>

#include "base/units.h"
#include "control/action.h"

namespace ergon::control {

// What a controller gets to see of the time since its last decision.
struct Reading {
  Seconds at;                       // when it was taken, since the run began
  Seconds lasted;                   // that the point was in force and watched
  Point point;                      // that was asked for and in force
  double samples = 0;               // that were finished
  std::optional<Watts> power;       // the highest fresh reading; nothing: no sensor answered, or nothing new
  std::optional<Watts> mean_power;  // of all fresh readings
  // The longest that a batch took; where requests come by themselves, their 99th percentile.
  std::optional<Seconds> latency;
  std::optional<Celsius> temperature;
  Watts cap;  // that holds from now on
  // Batches were full and followed one another without a pause. Otherwise power and throughput are less than
  // what the point can do.
  bool saturated = true;

  // Samples in a second.
  double throughput() const { return lasted > Seconds{0} ? samples / lasted.si() : 0; }
};

}  // namespace ergon::control
