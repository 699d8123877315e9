#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/bootstrap.h"
#include "bootstrap_values.h"

namespace ergon::statistics {
namespace {

std::vector<double> a_sample() {
  const auto whole = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-64, 64)));
  return {whole.begin(), whole.end()};
}

RC_GTEST_PROP(BootstrapProperty, IntervalOfTheMeanLiesWithinTheValues, ()) {
  const auto values = a_sample();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto interval = bootstrap_values(values, mean, {.resamples = 200, .seed = seed});
  RC_ASSERT(interval.has_value());
  RC_ASSERT(interval->low <= interval->high);
  RC_ASSERT(interval->low >= *std::min_element(values.begin(), values.end()));
  RC_ASSERT(interval->high <= *std::max_element(values.begin(), values.end()));
}

// Which observations are drawn depends on the seed alone, so the interval moves and grows with the values.
RC_GTEST_PROP(BootstrapProperty, IntervalOfTheMeanFollowsScaleAndOffset, ()) {
  const auto values = a_sample();
  std::vector<double> moved;
  for (const double v : values) moved.push_back(4 * v + 1024);
  const auto before = bootstrap_values(values, mean, {.resamples = 200});
  const auto after = bootstrap_values(moved, mean, {.resamples = 200});
  RC_ASSERT(before.has_value() && after.has_value());
  RC_ASSERT(std::abs(after->estimate - (4 * before->estimate + 1024)) <= 1e-9);
  RC_ASSERT(std::abs(after->low - (4 * before->low + 1024)) <= 1e-6);
  RC_ASSERT(std::abs(after->high - (4 * before->high + 1024)) <= 1e-6);
}

}  // namespace
}  // namespace ergon::statistics
