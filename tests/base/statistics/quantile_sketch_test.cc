#include "base/statistics/quantile_sketch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::statistics {
namespace {

std::vector<double> some_values(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(std::exp(8 * random.uniform() - 4));
  return values;
}

TEST(QuantileSketch, IsAbsentWithoutValues) { EXPECT_FALSE(QuantileSketch().quantile(0.5)); }

TEST(QuantileSketch, IsWithinHalfAPercentOfTheExactQuantile) {
  auto values = some_values(1, 10'000);
  QuantileSketch sketch;
  for (const double value : values) sketch.add(value);
  std::sort(values.begin(), values.end());
  for (const double share : {0.0001, 0.01, 0.5, 0.95, 0.99, 1.0}) {
    const auto place = static_cast<std::size_t>(std::ceil(share * 10'000)) - 1;
    EXPECT_NEAR(*sketch.quantile(share) / values[place], 1, 0.00501) << share;
  }
}

TEST(QuantileSketch, CountsZerosAndWeights) {
  QuantileSketch sketch;
  sketch.add(0, 9);
  sketch.add(5, 90);
  sketch.add(1000);
  EXPECT_EQ(sketch.count(), 100);
  EXPECT_EQ(*sketch.quantile(0.05), 0);
  EXPECT_NEAR(*sketch.quantile(0.5), 5, 0.026);
  EXPECT_NEAR(*sketch.quantile(0.99), 5, 0.026);
  EXPECT_NEAR(*sketch.quantile(0.995), 1000, 5);
}

TEST(QuantileSketch, PartsInAnyOrderAreTheWhole) {
  const auto values = some_values(2, 999);
  QuantileSketch whole, parts[3];
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.add(values[i]);
    parts[i % 3].add(values[i]);
  }
  QuantileSketch forth, back;
  for (int i = 0; i < 3; ++i) {
    forth.merge(parts[i]);
    back.merge(parts[2 - i]);
  }
  EXPECT_EQ(forth, whole);
  EXPECT_EQ(back, whole);
}

TEST(QuantileSketch, SurvivesSerialization) {
  QuantileSketch sketch;
  for (const double value : some_values(3, 100)) sketch.add(value);
  sketch.add(0, 3);
  EXPECT_EQ(QuantileSketch::of(sketch.buckets(), sketch.zeros()), sketch);
}

}  // namespace
}  // namespace ergon::statistics
