#pragma once

#include "control/action.h"

namespace ergon::control {

// Time and power of one batch.
struct Expectation {
  Seconds time;  // of one batch
  Watts power;
  // Kernel time and launch time of the host, which overlap; 0 if unknown.
  Seconds gpu{}, host{};
};

// Time and power of a network as a function of batch and clock: a prior, or measurements.
class Surface {
 public:
  virtual ~Surface() = default;
  // Any batch within the knobs and any clock, including intermediate ones. Contract: the point has a clock if
  // and only if the knobs have clocks.
  virtual Expectation at(const Point& point) const = 0;
};

}  // namespace ergon::control
