#include "fleet/account/gpu_history.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

constexpr std::int64_t kSecondOfHistory = 1'000'000'000;
const double kAbsent = std::nan("");

TEST(GpuHistory, StartsWithBinsOfFourSeconds) {
  GpuHistory history;
  EXPECT_TRUE(history.empty());
  history.add({401 * kSecondOfHistory}, 100, 50);
  history.add({403 * kSecondOfHistory}, 200, kAbsent);
  history.add({404 * kSecondOfHistory}, kAbsent, 70);
  EXPECT_EQ(history.samples, 3u);
  EXPECT_EQ(history.width(), Seconds{4});
  EXPECT_EQ(history.first, 100);
  EXPECT_EQ(history.watts[0], 300);
  EXPECT_EQ(history.watts_count[0], 2u);
  EXPECT_EQ(history.percent[0], 50);
  EXPECT_EQ(history.watts_count[1], 0u);
  EXPECT_EQ(history.percent[1], 70);
  EXPECT_EQ(history.percent_count[1], 1u);
}

TEST(GpuHistory, SamplesWithoutValuesAreIgnored) {
  GpuHistory history;
  history.add({400 * kSecondOfHistory}, kAbsent, kAbsent);
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(history, GpuHistory{});
  history.add({800 * kSecondOfHistory}, 1, kAbsent);
  EXPECT_EQ(history.first, 200) << "the first sample with a value";
}

TEST(GpuHistory, MergesPairsOfBinsWhenFull) {
  GpuHistory history;
  for (std::int64_t i = 0; i < 96; ++i)
    history.add({i * 4 * kSecondOfHistory}, static_cast<double>(i), kAbsent);
  EXPECT_EQ(history.width(), Seconds{4});
  history.add({96 * 4 * kSecondOfHistory}, 96, kAbsent);
  EXPECT_EQ(history.width(), Seconds{8});
  for (std::size_t i = 0; i < 48; ++i) {
    EXPECT_EQ(history.watts[i], static_cast<double>(4 * i + 1)) << i;
    EXPECT_EQ(history.watts_count[i], 2u);
  }
  EXPECT_EQ(history.watts[48], 96);
  EXPECT_EQ(history.watts_count[48], 1u);
}

TEST(GpuHistory, BinsAreAlignedToMultiplesOfTheirWidth) {
  GpuHistory odd;  // starts in the second half of a wider bin
  odd.add({4 * kSecondOfHistory}, 1, kAbsent);
  odd.add({(4 + 96 * 4) * kSecondOfHistory}, 1, kAbsent);
  EXPECT_EQ(odd.first, 0);
  EXPECT_EQ(odd.width(), Seconds{8});
  GpuHistory before_1970;
  before_1970.add({-1}, 1, kAbsent);
  EXPECT_EQ(before_1970.first, -1);
  before_1970.add({96 * 4 * kSecondOfHistory}, 1, kAbsent);
  EXPECT_EQ(before_1970.first, -1);
  EXPECT_EQ(before_1970.watts_count[0], 1u);
}

// Centuries between two samples, as from a broken clock.
TEST(GpuHistory, AnyDistanceFits) {
  GpuHistory history;
  history.add({INT64_MIN}, 1, 1);
  history.add({INT64_MAX}, 2, 2);
  EXPECT_EQ(history.samples, 2u);
  EXPECT_TRUE(history.is_valid());
  double sum = 0;
  for (const double each : history.watts) sum += each;
  EXPECT_EQ(sum, 3);
}

TEST(GpuHistory, IsValidRejectsBinsOutsideTheTimestampRange) {
  GpuHistory history;
  EXPECT_TRUE(history.is_valid());
  history.doublings = 41;
  EXPECT_FALSE(history.is_valid());
  history.doublings = UINT64_MAX;
  EXPECT_FALSE(history.is_valid());
  history.doublings = 0;
  for (const std::int64_t first : {INT64_MAX, INT64_MIN, std::int64_t{10'000'000'000}}) {
    history.first = first;
    EXPECT_FALSE(history.is_valid()) << first;
  }
  history.first = 400'000'000;  // 2020
  EXPECT_TRUE(history.is_valid());
}

}  // namespace
}  // namespace ergon::fleet
