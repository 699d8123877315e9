#include "base/statistics/correlation_interval.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/statistics/correlation.h"

namespace ergon::statistics {
namespace {

struct Noisy {
  std::vector<double> x, y;
};

Noisy noisy_line(std::size_t count) {
  Random random(3);
  Noisy pairs;
  for (std::size_t i = 0; i < count; ++i) {
    pairs.x.push_back(random.uniform());
    pairs.y.push_back(pairs.x.back() + random.uniform());
  }
  return pairs;
}

TEST(CorrelationInterval, MethodDependsOnTheNumberOfPairs) {
  EXPECT_EQ(name_of(correlation_interval_method(5000)), "bootstrap");
  EXPECT_EQ(name_of(correlation_interval_method(5001)), "Fisher's z");
}

TEST(CorrelationInterval, ContainsTheEstimate) {
  for (const std::size_t count : {40u, 5001u}) {
    const Noisy pairs = noisy_line(count);
    for (const CorrelationKind kind : {CorrelationKind::pearson, CorrelationKind::spearman}) {
      const auto interval = correlation_interval(kind, pairs.x, pairs.y, 1);
      ASSERT_TRUE(interval);
      EXPECT_EQ(interval->estimate,
                kind == CorrelationKind::pearson ? *pearson(pairs.x, pairs.y) : *spearman(pairs.x, pairs.y));
      EXPECT_LT(interval->low, interval->estimate);
      EXPECT_GT(interval->high, interval->estimate);
      EXPECT_LT(interval->high - interval->low, count > 5000 ? 0.05 : 0.6);
    }
  }
}

TEST(CorrelationInterval, IsAbsentForAConstantOrAStop) {
  const std::vector<double> constant(20, 1.0);
  const Noisy pairs = noisy_line(20);
  EXPECT_FALSE(correlation_interval(CorrelationKind::pearson, constant, pairs.y, 1));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(correlation_interval(CorrelationKind::pearson, pairs.x, pairs.y, 1, stop.get_token()));
}

}  // namespace
}  // namespace ergon::statistics
