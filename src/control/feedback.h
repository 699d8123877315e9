#pragma once

#include <optional>

#include "base/units.h"
#include "control/action.h"

namespace ergon::control {

// Measurements over one decision interval: the input of a controller.
struct Feedback {
  Seconds at;                       // end of the interval, since the start of the run
  Seconds lasted;                   // measured time at the operating point
  Point point;                      // requested and in force
  double samples = 0;               // completed
  std::optional<Watts> power;       // maximum of the fresh readings; empty: no fresh reading
  std::optional<Watts> mean_power;  // mean of the fresh readings
  // Closed arrivals: the longest batch. Open arrivals: the 99th percentile over requests.
  std::optional<Seconds> latency;
  std::optional<Celsius> temperature;
  Watts cap;  // in force from now on
  // Batches were full and back to back. Otherwise power and throughput are below what the point can reach.
  bool saturated = true;

  // Samples per second.
  double throughput() const { return lasted > Seconds{0} ? samples / lasted.si() : 0; }
};

}  // namespace ergon::control
