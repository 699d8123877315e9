#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

namespace ergon::sweep {

struct Coefficient {
  double estimate = 0;
  std::optional<double> low, high;  // 95 %; absent below kIntervalPoints points

  friend bool operator==(const Coefficient&, const Coefficient&) = default;
};

// Correlation of two quantities over the clocks.
struct Correlation {
  Coefficient pearson, spearman;

  friend bool operator==(const Correlation&, const Correlation&) = default;
};

struct AssociationOptions {
  int resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
  std::stop_token stop = {};
};

inline constexpr std::size_t kCorrelationPoints = 3;  // two points always correlate perfectly
inline constexpr std::size_t kIntervalPoints = 5;     // fewer points have too few distinct resamples

// Correlates one pair of means per clock. Repetitions at one clock are not independent evidence about other
// clocks, so the bootstrap (BCa) resamples whole clocks. Ranks of a resample are counted, not sorted, so 2000
// resamples of 196 clocks take milliseconds. Absent for fewer than kCorrelationPoints pairs, or if one side
// is constant.
std::optional<Correlation> correlate(std::span<const double> x, std::span<const double> y,
                                     const AssociationOptions& options);

}  // namespace ergon::sweep
