#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/statistics/interval.h"

namespace ergon::statistics {

// Linear correlation; absent for fewer than two pairs, or when either side is constant or overflows when
// squared.
std::optional<double> pearson(std::span<const double> x, std::span<const double> y);

// Monotone correlation: Pearson's of the ranks, ties sharing the mean of the ranks they cover.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

// Analytic confidence interval of a correlation of `count` > 3 pairs, for large samples: atanh(r) is nearly
// normal with standard deviation `widening` / sqrt(count - 3) (Fisher 1921). `widening` is 1 for Pearson's
// and kSpearmanWidening for Spearman's correlation (Fieller, Hartley and Pearson 1957: variance 1.06 / (n -
// 3)).
Interval fisher_interval(double correlation, std::size_t count, double widening, double confidence = 0.95);

inline constexpr double kSpearmanWidening = 1.03;

// Ranks from 1, ties averaged.
std::vector<double> ranks(std::span<const double> values);

}  // namespace ergon::statistics
