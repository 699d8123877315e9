#pragma once

#include "control/run.h"

namespace ergon::control {

// A run in numbers.
struct Summary {
  Seconds lasted;
  double samples = 0;
  double throughput = 0;  // samples in a second, over all of it
  Watts mean_power, most_power;
  // Time above the cap, the longest without a break, and how much was drawn above it.
  Seconds violation, longest_violation;
  Joules violation_energy;
  double mean_batch = 0;            // over time
  std::optional<Hertz> mean_clock;  // where it was set
  std::size_t decisions = 0, changes = 0;
  // Until the last change that made a difference of more than 3 % to throughput, or was forced by the cap.
  Seconds settled_after;
  std::size_t settled_decisions = 0;
  double settled_throughput = 0;
  Seconds violation_once_settled;
  std::optional<Seconds> latency;  // of requests, at the 99th percentile
};

Summary summary_of(const Run& run);

}  // namespace ergon::control
