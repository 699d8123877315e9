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

// How two quantities go together over the clocks.
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

inline constexpr std::size_t kCorrelationPoints = 3;  // through two points there is always a line
inline constexpr std::size_t kIntervalPoints = 5;     // fewer have too few different resamples

// Of one pair per clock, the means of its runs: repetitions of a clock are not independent evidence about
// other clocks, so whole clocks are drawn when the interval is made (BCa bootstrap). Ranks of a resample are
// counted instead of sorted, so that 2000 resamples of 196 clocks take milliseconds. Absent for fewer than
// kCorrelationPoints pairs, or where one side does not vary.
std::optional<Correlation> correlate(std::span<const double> x, std::span<const double> y,
                                     const AssociationOptions& options);

}  // namespace ergon::sweep
