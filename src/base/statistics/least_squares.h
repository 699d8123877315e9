#pragma once

#include <optional>
#include <span>

namespace ergon::statistics {

// y = intercept + slope * x, with the standard errors of both.
struct Line {
  double slope = 0;
  double intercept = 0;
  double slope_error = 0;
  double intercept_error = 0;
  double residual_deviation = 0;  // divided by n - 2
  double r_squared = 0;           // 1 when y does not vary and the fit is exact

  double at(double x) const { return intercept + slope * x; }
};

// The least-squares line; absent for fewer than three points or when x is constant.
std::optional<Line> fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace ergon::statistics
