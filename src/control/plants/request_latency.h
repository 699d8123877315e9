#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/units.h"

namespace ergon::control {

// Share of the time, and of a batch, from which the load counts as full.
inline constexpr double kFullLoad = 0.95;

// 99th percentile of request latencies; empty without requests.
inline std::optional<Seconds> p99(std::vector<Seconds> latencies) {
  if (latencies.empty()) return std::nullopt;
  const auto late = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() * 99 / 100);
  std::nth_element(latencies.begin(), late, latencies.end());
  return *late;
}

}  // namespace ergon::control
