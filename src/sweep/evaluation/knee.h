#pragma once

#include <optional>
#include <span>

namespace ergon::sweep {

// Where a line bends upwards.
struct Knee {
  double at = 0;
  double low = 0, high = 0;  // the confidence interval of `at`
  double slope_below = 0, slope_above = 0;
  double residual_deviation = 0;
  double autocorrelation = 0;  // of neighbouring residuals, 0 at least; above 0 it widens the interval
  double p = 0;                // of a bend at least as clear where there is none

  friend bool operator==(const Knee&, const Knee&) = default;
};

inline constexpr std::size_t kKneePoints = 6;

// Fits y over x by two lines that meet, the second one steeper: least squares over the place where they meet,
// exactly. Absent for fewer than kKneePoints points, and where one line fits as well (p above 0.05) or a
// parabola does (by residual variance).
// Contract: x ascends strictly.
std::optional<Knee> find_knee(std::span<const double> x, std::span<const double> y, double confidence = 0.95);

}  // namespace ergon::sweep
