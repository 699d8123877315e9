#pragma once

#include <numeric>
#include <optional>
#include <span>

namespace ergon::statistics {

// As a statistic that is bootstrapped.
inline std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace ergon::statistics
