#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/least_squares.h"

namespace ergon::statistics {
namespace {

using Column = std::vector<double>;

Column whole_numbers(std::size_t count, int least, int greatest) {
  const auto values = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(least, greatest + 1));
  return {values.begin(), values.end()};
}

// The squared error is minimal where the residuals are orthogonal to 1 and x.
RC_GTEST_PROP(LeastSquaresProperty, ResidualsAreOrthogonalToOneAndX, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(3, 40);
  const Column x = whole_numbers(rows, -50, 50), y = whole_numbers(rows, -50, 50);
  const auto line = fit_line(x, y);
  const bool varies = std::any_of(x.begin(), x.end(), [&](double value) { return value != x.front(); });
  RC_ASSERT(line.has_value() == varies);
  if (!line) return;
  double sum = 0, product = 0, squares = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double residual = y[i] - line->at(x[i]);
    sum += residual;
    product += residual * x[i];
    squares += residual * residual;
  }
  const double size = (1 + std::abs(line->intercept) + std::abs(line->slope)) * 50 * 50 * 40;
  RC_ASSERT(std::abs(sum) <= 1e-12 * size);
  RC_ASSERT(std::abs(product) <= 1e-12 * size);
  RC_ASSERT(std::abs(squares - line->residual_deviation * line->residual_deviation *
                                   static_cast<double>(rows - 2)) <= 1e-9 * (1 + squares));
  RC_ASSERT(line->r_squared >= -1e-12 && line->r_squared <= 1);
}

}  // namespace
}  // namespace ergon::statistics
