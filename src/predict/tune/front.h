#pragma once

#include <span>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// The points that no other beats or equals in both latency and energy per sample, by ascending latency. Of
// points that are alike, the first.
std::vector<OperatingPoint> pareto_front(std::span<const OperatingPoint> points);

}  // namespace ergon::predict
