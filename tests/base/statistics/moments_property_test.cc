#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/moments.h"

namespace ergon::statistics {
namespace {

Moments moments_of(const std::vector<int>& values, double offset = 0) {
  Moments moments;
  for (const int x : values) moments.add(offset + x);
  return moments;
}

const auto kValues = rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000));

RC_GTEST_PROP(MomentsProperty, MergedPartsEqualTheWholeStream, ()) {
  const auto left = *kValues;
  const auto right = *kValues;
  std::vector<int> all = left;
  all.insert(all.end(), right.begin(), right.end());
  Moments merged = moments_of(left);
  merged.merge(moments_of(right));
  const Moments whole = moments_of(all);
  RC_ASSERT(merged.count() == whole.count());
  RC_ASSERT(merged.min() == whole.min());
  RC_ASSERT(merged.max() == whole.max());
  RC_ASSERT(merged.mean().has_value() == whole.mean().has_value());
  RC_ASSERT(merged.variance().has_value() == whole.variance().has_value());
  if (whole.mean()) RC_ASSERT(std::abs(*merged.mean() - *whole.mean()) <= 1e-10);
  if (whole.variance())
    RC_ASSERT(std::abs(*merged.variance() - *whole.variance()) <= 1e-12 * (1 + *whole.variance()));
}

// The definition, in integers and therefore without rounding up to the last division.
RC_GTEST_PROP(MomentsProperty, EqualTheirDefinition, ()) {
  const auto values = *rc::gen::suchThat(kValues, [](const auto& v) { return v.size() >= 2; });
  const auto n = static_cast<long long>(values.size());
  long long sum = 0, squares = 0;
  for (const long long x : values) {
    sum += x;
    squares += x * x;
  }
  const double variance = static_cast<double>(n * squares - sum * sum) / static_cast<double>(n * (n - 1));
  const Moments moments = moments_of(values);
  RC_ASSERT(std::abs(*moments.mean() - static_cast<double>(sum) / static_cast<double>(n)) <= 1e-10);
  RC_ASSERT(std::abs(*moments.variance() - variance) <= 1e-12 * (1 + variance));
  RC_ASSERT(*moments.min() == *std::min_element(values.begin(), values.end()));
  RC_ASSERT(*moments.max() == *std::max_element(values.begin(), values.end()));
}

RC_GTEST_PROP(MomentsProperty, SpreadDoesNotDependOnTheOffset, ()) {
  const auto values = *rc::gen::suchThat(kValues, [](const auto& v) { return v.size() >= 2; });
  const double here = *moments_of(values).variance();
  const double far = *moments_of(values, 1e9).variance();
  RC_ASSERT(std::abs(here - far) <= 1e-5 * (1 + here));
}

}  // namespace
}  // namespace ergon::statistics
