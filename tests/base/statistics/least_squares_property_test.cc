#include <cmath>
#include <utility>
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

// What is least is where the weighted residuals are orthogonal to every column.
RC_GTEST_PROP(LeastSquaresProperty, ResidualsAreOrthogonalToTheColumns, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(3, 30);
  const std::vector<Column> columns{Column(rows, 1.0), whole_numbers(rows, -50, 50),
                                    whole_numbers(rows, -50, 50)};
  const Column y = whole_numbers(rows, -100, 100), weights = whole_numbers(rows, 1, 9);
  const auto coefficients = fit_linear(columns, y, weights);
  RC_PRE(coefficients.has_value());
  double size = 0;  // of the terms that cancel
  std::vector<double> sums(columns.size());
  for (std::size_t i = 0; i < rows; ++i) {
    double residual = y[i];
    for (std::size_t j = 0; j < columns.size(); ++j) {
      residual -= (*coefficients)[j] * columns[j][i];
      size += std::abs((*coefficients)[j]) * 50 * 50 * 9;
    }
    for (std::size_t j = 0; j < columns.size(); ++j) sums[j] += weights[i] * residual * columns[j][i];
  }
  for (const double sum : sums) RC_ASSERT(std::abs(sum) <= 1e-11 * (1 + size));
}

RC_GTEST_PROP(LeastSquaresProperty, WholeWeightsActAsRepeatedRows, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(4, 12);
  const std::vector<Column> columns{Column(rows, 1.0), whole_numbers(rows, -9, 9)};
  const Column y = whole_numbers(rows, -9, 9), weights = whole_numbers(rows, 1, 4);
  std::vector<Column> repeated(2);
  Column repeated_y;
  for (std::size_t i = 0; i < rows; ++i) {
    for (int k = 0; k < static_cast<int>(weights[i]); ++k) {
      for (std::size_t j = 0; j < 2; ++j) repeated[j].push_back(columns[j][i]);
      repeated_y.push_back(y[i]);
    }
  }
  const auto weighted = fit_linear(columns, y, weights), plain = fit_linear(repeated, repeated_y);
  RC_ASSERT(weighted.has_value() == plain.has_value());
  if (!plain) return;
  for (std::size_t j = 0; j < 2; ++j)
    RC_ASSERT(std::abs((*weighted)[j] - (*plain)[j]) <= 1e-9 * (1 + std::abs((*plain)[j])));
}

RC_GTEST_PROP(LeastSquaresProperty, LineAndLinearFitAgree, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(3, 40);
  const Column x = whole_numbers(rows, -50, 50), y = whole_numbers(rows, -50, 50);
  const auto line = fit_line(x, y);
  const auto linear = fit_linear(std::vector{Column(rows, 1.0), x}, y);
  RC_ASSERT(line.has_value() == linear.has_value());
  if (!line) return;
  RC_ASSERT(std::abs(line->intercept - (*linear)[0]) <= 1e-9 * (1 + std::abs(line->intercept)));
  RC_ASSERT(std::abs(line->slope - (*linear)[1]) <= 1e-10 * (1 + std::abs(line->slope)));
  RC_ASSERT(line->r_squared >= -1e-12 && line->r_squared <= 1);
}

}  // namespace
}  // namespace ergon::statistics
