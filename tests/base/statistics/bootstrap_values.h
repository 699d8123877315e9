#pragma once

#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/bootstrap.h"

namespace ergon::statistics {

// A statistic that is bootstrapped.
inline std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The bootstrap of a statistic of plain values.
inline std::optional<Interval> bootstrap_values(
    std::span<const double> values,
    const std::function<std::optional<double>(std::span<const double>)>& statistic,
    const BootstrapOptions& options) {
  std::vector<double> sample;
  const auto of_indices = [&](std::span<const std::size_t> indices) {
    sample.clear();
    for (const std::size_t i : indices) sample.push_back(values[i]);
    return statistic(sample);
  };
  return bootstrap(values.size(), of_indices, options);
}

}  // namespace ergon::statistics
