#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/controller.h"

namespace ergon::control {

// What really happened over a stretch of time in which nothing was changed. On real devices, as far as
// readings tell.
struct Stretch {
  Seconds from, to;
  Watts power;  // mean over it
};

// How long requests took from when they came, or from when their batch could begin, until they were answered.
struct Latency {
  Seconds latency;
  double requests = 1;
};

// A network that runs somewhere and can be told at which batch and clock.
class Plant {
 public:
  virtual ~Plant() = default;

  virtual const Knobs& knobs() const = 0;
  // Numbers from a model, or from a table that was measured earlier.
  virtual bool simulated() const = 0;
  virtual Seconds now() const = 0;
  // With the model loaded and nothing running: no cap below it can be held.
  virtual Watts idle_power() const = 0;

  // Goes to the point and runs there for so many batches, and as long as the sensor needs to show it. The cap
  // of the reading is the caller's. Errors: the device or the network is gone.
  virtual Result<Reading> run(const Point& point, const Controller::Patience& patience) = 0;
  // All of it since the last call, oldest first.
  virtual std::vector<Stretch> passed() = 0;
  // Of all requests that were answered since the last call.
  virtual std::vector<Latency> latencies() = 0;
};

}  // namespace ergon::control
