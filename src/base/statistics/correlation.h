#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/interval.h"

namespace ergon::statistics {

// Linear correlation; absent for fewer than two pairs, or when either side does not vary or is too large to
// square.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Monotone correlation: Pearson's of the ranks, ties sharing the mean of the ranks they cover.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// The range of a correlation of `count` > 3 pairs from theory instead of resampling: the inverse hyperbolic
// tangent of r is nearly normal with deviation `widening` / sqrt(count - 3) (Fisher 1921); 1 for Pearson's
// and 1.03 for Spearman's (Fieller, Hartley and Pearson 1957, variance 1.06 / (n - 3)). Good where pairs are
// many.
Interval fisher_interval(double correlation, std::size_t count, double widening, double confidence = 0.95);

// Ranks from 1, ties averaged.
std::vector<double> ranks(std::span<const double> values);

}  // namespace ergon::statistics
