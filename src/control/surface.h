#pragma once

#include "control/action.h"

namespace ergon::control {

// Time and power of a network over batch and clock: what somebody believes, or what was measured.
struct Expectation {
  Seconds time;  // of one batch
  Watts power;
  // Where it is known what the time is made of: kernels, and the host that asks for them meanwhile.
  Seconds gpu{}, host{};
};

class Surface {
 public:
  virtual ~Surface() = default;
  // Of any batch within the knobs, and any clock, also between those that were looked at. Contract: a clock
  // exactly where the knobs have clocks.
  virtual Expectation at(const Point& point) const = 0;
};

}  // namespace ergon::control
