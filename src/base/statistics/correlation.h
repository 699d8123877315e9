#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ergon::statistics {

// Linear correlation; absent for fewer than two pairs or when either side does not vary.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Monotone correlation: Pearson's of the ranks, ties sharing the mean of the ranks they cover.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// Ranks from 1, ties averaged.
std::vector<double> ranks(std::span<const double> values);

}  // namespace ergon::statistics
