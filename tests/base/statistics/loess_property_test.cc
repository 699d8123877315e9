#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/loess.h"

namespace ergon::statistics {
namespace {

using Series = std::vector<double>;

LoessOptions some_options() {
  return {.span = *rc::gen::inRange(4, 20) / 10.0, .degree = *rc::gen::inRange(0, 3), .confidence = 0.95};
}

// Distinct, unevenly spaced x.
Series some_x() {
  const auto steps = *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 20)),
                                        [](const auto& v) { return v.size() >= 15; });
  Series x;
  double at = -30;
  for (const int step : steps) x.push_back(at += step);
  return x;
}

Series some_y(std::size_t count) {
  const auto values = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(-100, 100));
  return {values.begin(), values.end()};
}

// A local polynomial fit finds a polynomial of its own degree.
RC_GTEST_PROP(LoessProperty, ReproducesPolynomialsOfItsDegree, ()) {
  const LoessOptions options = some_options();
  const Series x = some_x();
  const double a = *rc::gen::inRange(-9, 10), b = *rc::gen::inRange(-9, 10), c = *rc::gen::inRange(-9, 10);
  const auto polynomial = [&](double v) {
    return a + (options.degree >= 1 ? b * v : 0) + (options.degree >= 2 ? c * v * v : 0);
  };
  Series y;
  double size = 1;
  for (const double v : x) {
    y.push_back(polynomial(v));
    size = std::max(size, std::abs(y.back()));
  }
  const auto loess = Loess::fit(x, y, options);
  RC_PRE(static_cast<bool>(loess));
  for (const LoessPoint& point : loess->curve(17)) {
    RC_ASSERT(std::abs(point.fit - polynomial(point.x)) <= 1e-8 * size);
  }
}

// The fit is linear in y, and its error follows the scale.
RC_GTEST_PROP(LoessProperty, FollowsScaleAndOffsetOfY, ()) {
  const LoessOptions options = some_options();
  const Series x = some_x(), y = some_y(x.size());
  Series moved;
  for (const double v : y) moved.push_back(-3 * v + 7);
  const auto before = Loess::fit(x, y, options), after = Loess::fit(x, moved, options);
  RC_ASSERT(static_cast<bool>(before) == static_cast<bool>(after));
  if (!before) return;
  RC_ASSERT(before->degrees_of_freedom() == after->degrees_of_freedom());
  RC_ASSERT(std::abs(after->residual_deviation() - 3 * before->residual_deviation()) <= 1e-8);
  for (const double at : x) {
    const LoessPoint p = before->at(at), q = after->at(at);
    RC_ASSERT(std::abs(q.fit - (-3 * p.fit + 7)) <= 1e-8);
    RC_ASSERT(std::abs(q.standard_error - 3 * p.standard_error) <= 1e-8);
    RC_ASSERT(std::abs(q.low - (-3 * p.high + 7)) <= 1e-7);
  }
}

RC_GTEST_PROP(LoessProperty, DoesNotDependOnTheOrderOfPoints, ()) {
  const LoessOptions options = some_options();
  Series x = some_x(), y = some_y(x.size());
  const auto before = Loess::fit(x, y, options);
  std::reverse(x.begin(), x.end());
  std::reverse(y.begin(), y.end());
  const auto after = Loess::fit(x, y, options);
  RC_ASSERT(static_cast<bool>(before) == static_cast<bool>(after));
  if (!before) return;
  for (const LoessPoint& point : before->curve(9)) {
    RC_ASSERT(after->at(point.x).fit == point.fit);
    RC_ASSERT(after->at(point.x).high == point.high);
  }
}

}  // namespace
}  // namespace ergon::statistics
