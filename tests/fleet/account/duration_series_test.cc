#include "fleet/account/duration_series.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ergon::fleet {
namespace {

TEST(DurationSeries, FindsTheTimeOfAChange) {
  Random random(1);
  DurationSeries series;
  for (int i = 0; i < 3000; ++i)
    series.add(Timestamp{i * 1'000'000'000LL}, (i < 2000 ? 40.0 : 44.0) + random.normal());
  const auto change = series.change();
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->before_seconds, 40, 0.2);
  EXPECT_NEAR(change->after_seconds, 44, 0.2);
  EXPECT_NEAR(static_cast<double>(change->at.ns) / 1e9, 2000, 40);
}

TEST(DurationSeries, FindsNoChangeInNoise) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    DurationSeries series;
    for (int i = 0; i < 300; ++i) series.add(Timestamp{i}, 40 + 3 * random.normal());
    found += series.change() ? 1 : 0;
  }
  EXPECT_EQ(found, 0);
}

// The relative change would be infinite.
TEST(DurationSeries, FindsNoChangeFromDurationsOfZero) {
  DurationSeries series;
  for (int i = 0; i < 100; ++i) series.add(Timestamp{i}, i < 50 ? 0 : 20);
  EXPECT_FALSE(series.change());
}

TEST(DurationSeries, FindsNoChangeInFewEvents) {
  DurationSeries series;
  for (int i = 0; i < 10; ++i) series.add(Timestamp{i}, i < 5 ? 10 : 20);
  EXPECT_FALSE(series.change());
}

}  // namespace
}  // namespace ergon::fleet
