#pragma once

#include <optional>
#include <span>

namespace ergon::sweep {

// The point at which a line bends upwards.
struct Knee {
  double at = 0;
  double low = 0, high = 0;  // the confidence interval of `at`
  double slope_below = 0, slope_above = 0;
  double residual_deviation = 0;
  double autocorrelation = 0;  // of neighboring residuals, at least 0; widens the interval
  double p = 0;                // p-value of the bend

  friend bool operator==(const Knee&, const Knee&) = default;
};

inline constexpr std::size_t kKneePoints = 6;

// Fits y over x by two lines that meet, the second steeper, by exact least squares over the meeting point.
// Absent for fewer than kKneePoints points, or if one line (p above 0.05) or a parabola (by residual
// variance) fits as well. Contract: x is strictly ascending.
std::optional<Knee> find_knee(std::span<const double> x, std::span<const double> y, double confidence = 0.95);

}  // namespace ergon::sweep
