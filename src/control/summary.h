#pragma once

#include "control/run.h"

namespace ergon::control {

// Statistics of a run.
struct Summary {
  Seconds lasted;
  double samples = 0;
  double throughput = 0;  // samples per second, over the whole run
  Watts mean_power, max_power;
  // Total time above the cap, longest contiguous time above it, and energy above it.
  Seconds violation, longest_violation;
  Joules violation_energy;
  double mean_batch = 0;            // time-weighted
  std::optional<Hertz> mean_clock;  // empty: default clock
  std::size_t decisions = 0, changes = 0;
  // Time of the last change that altered throughput by more than 3 % or was caused by a new cap.
  Seconds settled_after;
  std::size_t settled_decisions = 0;
  double settled_throughput = 0;
  Seconds violation_after_settling;
  std::optional<Seconds> latency;  // 99th percentile over requests
};

Summary summary_of(const CapRun& run);

}  // namespace ergon::control
