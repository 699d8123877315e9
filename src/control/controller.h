#pragma once

#include <memory>
#include <string_view>

#include "control/reading.h"

namespace ergon::control {

// Decides where a network runs next. A controller is its settings and what it remembers: the same readings in
// the same order give the same actions, whoever they come from. It reads no clock, waits for nobody and asks
// no device.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual std::string_view name() const = 0;
  // Before anything was read.
  virtual Action first(Watts cap) = 0;
  virtual Action step(const Reading& reading) = 0;

  // How long a decision should last: batches, and time for the sensor to show what they draw.
  struct Patience {
    int batches = 10;
    double sensor_updates = 0;  // besides the time that one covers
  };
  virtual Patience patience() const { return {}; }
};

}  // namespace ergon::control
