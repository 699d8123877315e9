#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"

namespace ergon::sweep {

// A point of a smooth curve over clock, with its 95 % band.
struct TrendPoint {
  double clock_mhz = 0;
  double fit = 0, low = 0, high = 0;

  friend bool operator==(const TrendPoint&, const TrendPoint&) = default;
};

struct TrendOptions {
  std::size_t points = 25;  // evenly spaced over the clocks
  double span = 0.75;       // share of the clocks in each local fit
};

// LOESS through one value per clock. Errors: too few points.
Result<std::vector<TrendPoint>> trend_of(std::span<const double> clock_mhz, std::span<const double> values,
                                         const TrendOptions& options);

struct TrendValue {
  double fit = 0, standard_error = 0;
};

// The same curve at the clocks themselves.
Result<std::vector<TrendValue>> trend_at_clocks(std::span<const double> clock_mhz,
                                                std::span<const double> values, const TrendOptions& options);

}  // namespace ergon::sweep
