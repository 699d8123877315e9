#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/quantile.h"

namespace ergon::statistics {
namespace {

std::vector<double> some_values() {
  const auto whole = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-100, 100)));
  return {whole.begin(), whole.end()};
}

double some_share() { return *rc::gen::inRange(0, 1001) / 1000.0; }

RC_GTEST_PROP(QuantileProperty, LiesBetweenTheExtremesAndRisesWithTheShare, ()) {
  const auto values = some_values();
  double a = some_share(), b = some_share();
  if (a > b) std::swap(a, b);
  const double low = *quantile(values, a), high = *quantile(values, b);
  RC_ASSERT(low <= high);
  RC_ASSERT(low >= *std::min_element(values.begin(), values.end()));
  RC_ASSERT(high <= *std::max_element(values.begin(), values.end()));
}

// Definition 7 read backwards: the i-th of n sorted values is the quantile of (i - 1) / (n - 1).
RC_GTEST_PROP(QuantileProperty, HitsEveryOrderStatistic, ()) {
  auto values = some_values();
  RC_PRE(values.size() >= 2u);
  const auto n = values.size();
  const auto i = *rc::gen::inRange<std::size_t>(0, n);
  const double p = static_cast<double>(i) / static_cast<double>(n - 1);
  const double actual = *quantile(values, p);
  std::sort(values.begin(), values.end());
  RC_ASSERT(std::abs(actual - values[i]) <= 1e-10);
}

RC_GTEST_PROP(QuantileProperty, DoesNotDependOnTheOrder, ()) {
  auto values = some_values();
  const double p = some_share();
  const double before = *quantile(values, p);
  std::reverse(values.begin(), values.end());
  RC_ASSERT(*quantile(values, p) == before);
}

}  // namespace
}  // namespace ergon::statistics
