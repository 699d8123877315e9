#pragma once

#include <optional>
#include <span>
#include <vector>

#include "predict/tune/bounds.h"
#include "predict/tune/operating_point.h"

namespace ergon::predict {

// Energy at a latency other than the choice's.
struct LatencyTradeoff {
  double latency_change = 0;            // 0.01: 1 % more
  std::optional<OperatingPoint> point;  // with the least energy; absent if no point is that fast
  double energy_saving = 0;             // share of the choice's energy per sample
};

// The point with the least energy per sample on the choice's device whose latency and time per sample are at
// most (1 + change) times the choice's. The condition on time per sample excludes smaller batches that only
// lose throughput. Bounds on throughput and power hold; the bound on latency is ignored.
LatencyTradeoff latency_tradeoff_of(const OperatingPoint& choice, std::span<const OperatingPoint> points,
                                    const Bounds& bounds, double latency_change);

// The fastest slower point on the choice's device that needs visibly less energy per sample, however much
// slower it is; absent if there is none. Its time per sample grows by no more than its latency. Bounds as
// above.
std::optional<OperatingPoint> next_cheaper(const OperatingPoint& choice,
                                           std::span<const OperatingPoint> points, const Bounds& bounds);

}  // namespace ergon::predict
