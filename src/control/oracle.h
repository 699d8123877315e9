#pragma once

#include "control/surface.h"

namespace ergon::control {

// What one could have reached who knows everything.
struct Best {
  Point point;
  Expectation there;
  double throughput = 0;  // samples in a second
};

// The highest throughput of all points that stay within the cap, and within the latency where one is asked
// for; the point of least power if none does. Tries every batch and every clock.
struct Verdict {
  Best best;
  bool met = true;  // false: nothing stays within the cap
};
Verdict oracle(const Surface& surface, const Knobs& knobs, Watts cap, std::optional<Seconds> latency = {});

}  // namespace ergon::control
