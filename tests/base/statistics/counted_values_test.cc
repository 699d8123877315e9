#include "base/statistics/counted_values.h"

#include <array>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/statistics/quantile.h"

namespace ergon::statistics {
namespace {

constexpr std::array kShares{0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 1.0};

TEST(CountedValues, QuantilesAreThoseOfTheValues) {
  Random random(3);
  for (const int count : {1, 2, 3, 10, 1000}) {
    CountedValues counted;
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
      const auto value = static_cast<std::int64_t>(std::abs(random.normal()) * 20);
      counted.add(value);
      values.push_back(static_cast<double>(value));
    }
    std::sort(values.begin(), values.end());
    const auto quantiles = counted.quantiles(kShares);
    ASSERT_TRUE(quantiles);
    for (std::size_t i = 0; i < kShares.size(); ++i)
      EXPECT_NEAR((*quantiles)[i], *quantile_of_sorted(values, kShares[i]), 1e-9)
          << count << " " << kShares[i];
  }
  EXPECT_FALSE(CountedValues{}.quantile(0.5));
}

TEST(CountedValues, BecomesASketchWhenThereAreTooMany) {
  CountedValues counted;
  const auto many = static_cast<std::int64_t>(CountedValues::kMaxDifferent) + 1000;
  for (std::int64_t i = 1; i <= many; ++i) counted.add(i * 1000);
  EXPECT_FALSE(counted.exact());
  EXPECT_EQ(counted.count(), static_cast<std::uint64_t>(many));
  EXPECT_NEAR(*counted.quantile(0.5), static_cast<double>(many) * 500,
              static_cast<double>(many) * 500 * 0.006);
}

// Which parts there were is not to be seen, whether they were exact or not.
TEST(CountedValues, PartsAddUpToTheWhole) {
  const auto limit = static_cast<std::int64_t>(CountedValues::kMaxDifferent);
  for (const std::int64_t different : {std::int64_t{100}, limit - 1, limit + 1}) {
    CountedValues whole, a, b;
    for (std::int64_t i = 0; i < different; ++i) {
      whole.add(i);
      (i % 3 == 0 ? a : b).add(i);
    }
    for (std::int64_t i = 0; i < 50; ++i) whole.add(i), a.add(i);
    CountedValues other_way = b;
    other_way.merge(a);
    a.merge(b);
    EXPECT_TRUE(a == whole) << different;
    EXPECT_TRUE(other_way == whole) << different;
  }
}

TEST(CountedValues, ReportsValuesAboveALimit) {
  CountedValues counted;
  for (const int value : {1, 5, 5, 9}) counted.add(value);
  const auto above = counted.above(4);
  EXPECT_EQ(above.count, 3);
  EXPECT_EQ(above.excess, 1 + 1 + 5);
}

}  // namespace
}  // namespace ergon::statistics
