#pragma once

#include <optional>
#include <span>
#include <vector>

#include "predict/tune/bounds.h"
#include "predict/tune/operating_point.h"

namespace ergon::predict {

// What another latency would buy, or cost.
struct Exchange {
  double latency_change = 0;            // 0.01: one percent more
  std::optional<OperatingPoint> point;  // of least energy there; nothing where nothing is that fast
  double energy_saving = 0;             // of the choice's energy per sample
};

// The least energy per sample on the choice's device when an iteration may take (1 + change) times as long,
// and so may a sample: a smaller batch that only gives up throughput is no answer. Bounds on throughput and
// power are kept; that on latency is what is being asked about.
Exchange exchange_of(const OperatingPoint& choice, std::span<const OperatingPoint> points,
                     const Bounds& bounds, double latency_change);

}  // namespace ergon::predict
