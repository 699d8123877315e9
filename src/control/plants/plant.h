#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/controller.h"

namespace ergon::control {

// Mean power over a time span at one operating point. On real devices: as the power sensor reports it.
struct PowerSegment {
  Seconds from, to;
  Watts power;
};

// Latency of requests. Open arrivals: from arrival to completion. Closed: the duration of the batch.
struct Latency {
  Seconds latency;
  double requests = 1;
};

// A running network whose batch and clock can be set: on a GPU, on a twin, or replayed from a trace.
class Plant {
 public:
  virtual ~Plant() = default;

  virtual const Knobs& knobs() const = 0;
  // True for a twin or a trace.
  virtual bool simulated() const = 0;
  virtual Seconds now() const = 0;
  // Power with the model loaded and no work: no lower cap can be held.
  virtual Watts idle_power() const = 0;

  // Sets the operating point and runs for the interval. The caller fills in Feedback::cap. Errors: the device
  // or the network is lost.
  virtual Result<Feedback> run(const Point& point, const Controller::DecisionInterval& interval) = 0;
  // Returns and clears the power since the last call, oldest first.
  virtual std::vector<PowerSegment> take_power_segments() = 0;
  // Returns and clears the latencies of requests completed since the last call.
  virtual std::vector<Latency> take_latencies() = 0;
};

}  // namespace ergon::control
