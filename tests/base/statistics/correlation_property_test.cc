#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/correlation.h"

namespace ergon::statistics {
namespace {

using Series = std::vector<double>;

std::pair<Series, Series> some_pairs() {
  const auto pairs = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(-20, 20), rc::gen::inRange(-20, 20)));
  Series x, y;
  for (const auto& [a, b] : pairs) {
    x.push_back(a);
    y.push_back(b);
  }
  return {x, y};
}

RC_GTEST_PROP(CorrelationProperty, IsSymmetricAndWithinOne, ()) {
  const auto [x, y] = some_pairs();
  for (const auto& correlation : {pearson, spearman}) {
    const auto forth = correlation(x, y), back = correlation(y, x);
    RC_ASSERT(forth.has_value() == back.has_value());
    if (!forth) continue;
    RC_ASSERT(std::abs(*forth - *back) <= 1e-14);
    RC_ASSERT(*forth >= -1 && *forth <= 1);
  }
}

RC_GTEST_PROP(CorrelationProperty, PearsonIgnoresScaleAndOffset, ()) {
  const auto [x, y] = some_pairs();
  const int factor = *rc::gen::inRange(1, 100);
  Series moved;
  for (const double v : x) moved.push_back(-factor * v + 12);
  const auto before = pearson(x, y), after = pearson(moved, y);
  RC_ASSERT(before.has_value() == after.has_value());
  if (before) RC_ASSERT(std::abs(*before + *after) <= 1e-12);
}

RC_GTEST_PROP(CorrelationProperty, SpearmanIgnoresMonotoneMaps, ()) {
  const auto [x, y] = some_pairs();
  Series cubed;
  for (const double v : x) cubed.push_back(v * v * v);
  RC_ASSERT(spearman(x, y) == spearman(cubed, y));
}

// Ranks by counting: one more than the smaller values, plus half of the other equal ones.
RC_GTEST_PROP(CorrelationProperty, RanksEqualTheirDefinition, ()) {
  const auto [x, unused] = some_pairs();
  const auto rank = ranks(x);
  RC_ASSERT(rank.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double smaller = 0, equal = 0;
    for (const double v : x) {
      smaller += v < x[i];
      equal += v == x[i];
    }
    RC_ASSERT(rank[i] == smaller + (equal + 1) / 2);
  }
}

}  // namespace
}  // namespace ergon::statistics
