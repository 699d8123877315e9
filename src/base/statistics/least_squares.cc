#include "base/statistics/least_squares.h"

#include <cmath>

#include "base/contract.h"
#include "base/statistics/mean.h"

namespace ergon::statistics {

std::optional<Line> fit_line(std::span<const double> x, std::span<const double> y) {
  ERGON_EXPECTS(x.size() == y.size());
  if (x.size() < 3) return std::nullopt;
  const auto n = static_cast<double>(x.size());
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (xx == 0) return std::nullopt;

  Line line;
  line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  double unexplained = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double residual = (y[i] - mean_y) - line.slope * (x[i] - mean_x);
    unexplained += residual * residual;
  }
  const double variance = unexplained / (n - 2);
  line.residual_deviation = std::sqrt(variance);
  line.slope_error = std::sqrt(variance / xx);
  line.intercept_error = std::sqrt(variance * (1 / n + mean_x * mean_x / xx));
  line.r_squared = yy > 0 ? 1 - unexplained / yy : 1;
  return line;
}

}  // namespace ergon::statistics
