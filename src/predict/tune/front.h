#pragma once

#include <span>
#include <vector>

#include "predict/tune/operating_point.h"

namespace ergon::predict {

// Pareto front of latency and energy per sample, by ascending latency. Of equal points the first is taken.
std::vector<OperatingPoint> pareto_front(std::span<const OperatingPoint> points);

}  // namespace ergon::predict
