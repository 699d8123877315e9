#include "base/statistics/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::optional<std::vector<double>> fit_linear(std::span<const std::vector<double>> columns,
                                              std::span<const double> y, std::span<const double> weights) {
  const std::size_t rows = y.size();
  const std::size_t unknowns = columns.size();
  if (unknowns == 0 || rows < unknowns) return std::nullopt;
  ERGON_EXPECTS(weights.empty() || weights.size() == rows);

  std::vector<std::vector<double>> a(columns.begin(), columns.end());
  std::vector<double> b(y.begin(), y.end());
  std::vector<double> norms(unknowns);
  for (std::size_t j = 0; j < unknowns; ++j) {
    ERGON_EXPECTS(a[j].size() == rows);
    for (std::size_t i = 0; i < rows && !weights.empty(); ++i) a[j][i] *= std::sqrt(weights[i]);
    norms[j] = std::sqrt(std::inner_product(a[j].begin(), a[j].end(), a[j].begin(), 0.0));
  }
  for (std::size_t i = 0; i < rows && !weights.empty(); ++i) b[i] *= std::sqrt(weights[i]);

  // Each reflection maps one column to a multiple of a unit vector and is applied to all columns right of it.
  std::vector<double> diagonal(unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) {
    std::vector<double>& v = a[k];
    const double length = std::sqrt(std::inner_product(v.begin() + static_cast<std::ptrdiff_t>(k), v.end(),
                                                       v.begin() + static_cast<std::ptrdiff_t>(k), 0.0));
    // The residual of a column after removing the earlier ones; only rounding error means dependent columns.
    if (!(length > 1e-12 * norms[k])) return std::nullopt;
    diagonal[k] = v[k] > 0 ? -length : length;
    v[k] -= diagonal[k];
    const double half_square = -diagonal[k] * v[k];
    const auto reflect = [&](std::vector<double>& target) {
      double projection = 0;
      for (std::size_t i = k; i < rows; ++i) projection += v[i] * target[i];
      for (std::size_t i = k; i < rows; ++i) target[i] -= projection / half_square * v[i];
    };
    for (std::size_t j = k + 1; j < unknowns; ++j) reflect(a[j]);
    reflect(b);
  }

  std::vector<double> coefficients(unknowns);
  for (std::size_t k = unknowns; k-- > 0;) {
    double rest = b[k];
    for (std::size_t j = k + 1; j < unknowns; ++j) rest -= a[j][k] * coefficients[j];
    coefficients[k] = rest / diagonal[k];
  }
  return coefficients;
}

}  // namespace ergon::statistics
