#pragma once

#include "control/surfaces/surface.h"

namespace ergon::control {

// The best operating point under a cap, by exhaustive search.
struct OraclePoint {
  Point point;
  Expectation there;
  double throughput = 0;  // samples per second
};

// The point of highest throughput within the cap and, if given, the latency. If there is none: the point of
// lowest power. Evaluates every batch at every clock.
struct OracleResult {
  OraclePoint best;
  bool within_cap = true;  // false: no point meets the cap and the latency
};
OracleResult oracle(const Surface& surface, const Knobs& knobs, Watts cap,
                    std::optional<Seconds> latency = {});

}  // namespace ergon::control
