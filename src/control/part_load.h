#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/units.h"

namespace ergon::control {

// Of the time, and of a batch: so much work is as good as all of it.
inline constexpr double kFull = 0.95;

// The 99th percentile of what requests waited; nothing if there was none.
inline std::optional<Seconds> late_one(std::vector<Seconds> latencies) {
  if (latencies.empty()) return std::nullopt;
  const auto late = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() * 99 / 100);
  std::nth_element(latencies.begin(), late, latencies.end());
  return *late;
}

}  // namespace ergon::control
