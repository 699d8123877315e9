#pragma once

#include <memory>
#include <string_view>

#include "control/feedback.h"

namespace ergon::control {

// Chooses the next operating point of a network. Deterministic: the same feedback in the same order gives the
// same actions. Never reads a clock, blocks or accesses a device.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual std::string_view name() const = 0;
  // The first action, before any feedback.
  virtual Action first(Watts cap) = 0;
  virtual Action step(const Feedback& feedback) = 0;

  // Duration of one decision: number of batches, and sensor updates needed to measure their power.
  struct DecisionInterval {
    int batches = 10;
    double sensor_updates = 0;  // beyond the averaging window of the sensor
  };
  virtual DecisionInterval decision_interval() const { return {}; }
};

}  // namespace ergon::control
