#pragma once

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// A synthetic point.
inline OperatingPoint synthetic_point(double latency_seconds, double joules_per_sample,
                                      std::int64_t batch = 1, double watts = 100) {
  OperatingPoint point{.device = "a30", .batch = batch, .clock = {}, .limit = Watts{165}};
  point.prediction.time.value = Seconds{latency_seconds};
  point.prediction.energy_per_sample.value = Joules{joules_per_sample};
  point.prediction.power.value = Watts{watts};
  return point;
}

}  // namespace ergon::predict
