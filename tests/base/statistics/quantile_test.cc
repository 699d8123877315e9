#include "base/statistics/quantile.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The p of every reference block below.
constexpr std::array kShares{0.0, 0.025, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 0.975, 1.0};

struct QuantileReference {
  const char* name;
  std::vector<double> values;
  std::array<double, 10> quantiles;
};

// R 4.2: p <- c(0, .025, .1, .25, .5, .6, .75, .9, .975, 1); quantile(values, p)   (type 7)
const QuantileReference kReferences[] = {
    {"cars$dist",
     {kCarsDistance.begin(), kCarsDistance.end()},
     {2, 5.3500000000000005, 15.800000000000001, 26, 36, 46, 56, 80.400000000000006, 92.775000000000006,
      120}},
    {"unsorted, negative",
     {3.5, -1, 7.25, 0, 12, 3.5},
     {-1, -0.875, -0.5, 0.875, 3.5, 3.5, 6.3125, 9.625, 11.40625, 12}},
    {"duplicates", {2, 2, 2, 5, 5, 9}, {2, 2, 2, 2, 3.5, 5, 5, 7, 8.5, 9}},
    {"even count", {40, 10, 30, 20}, {10, 10.75, 13, 17.5, 25, 27.999999999999996, 32.5, 37, 39.25, 40}},
    {"one value", {7.5}, {7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5}},
};

TEST(Quantile, AgreesWithR) {
  for (const QuantileReference& reference : kReferences) {
    for (std::size_t i = 0; i < kShares.size(); ++i) {
      const auto actual = quantile(reference.values, kShares[i]);
      ASSERT_TRUE(actual) << reference.name;
      EXPECT_TRUE(agrees(*actual, reference.quantiles[i], 1e-14)) << reference.name << " at " << kShares[i];
    }
  }
}

TEST(Quantile, OfSortedValuesIsTheSame) {
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    const std::array sorted{-1.0, 0.0, 3.5, 3.5, 7.25, 12.0};
    EXPECT_TRUE(agrees(*quantile_of_sorted(sorted, kShares[i]), kReferences[1].quantiles[i], 1e-14))
        << kShares[i];
  }
}

TEST(Quantile, OfNothingIsAbsent) {
  EXPECT_FALSE(quantile({}, 0.5));
  EXPECT_FALSE(quantile_of_sorted({}, 0.5));
  EXPECT_FALSE(median({}));
}

TEST(Quantile, EndsAreTheExtremesExactly) {
  const std::array values{0.3, 0.1, 0.7};
  EXPECT_EQ(quantile(values, 0), 0.1);
  EXPECT_EQ(quantile(values, 1), 0.7);
}

TEST(Quantile, JustBelowOneStaysInside) {
  std::vector<double> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  EXPECT_NEAR(*quantile(values, std::nextafter(1.0, 0.0)), 1000, 1e-9);
}

TEST(Quantile, LeavesTheValuesAsTheyWere) {
  const std::vector<double> values{3, 1, 2};
  EXPECT_EQ(quantile(values, 0.5), 2);
  EXPECT_EQ(values, (std::vector<double>{3, 1, 2}));
}

// R 4.2: quantile(c(1, Inf, Inf), .75) is Inf, quantile(c(-Inf, 1, 2), .5) is 1
TEST(Quantile, OfInfiniteValuesAgreesWithR) {
  EXPECT_EQ(quantile(std::array{1.0, kInfinity, kInfinity}, 0.75), kInfinity);
  EXPECT_EQ(quantile(std::array{-kInfinity, 1.0, 2.0}, 0.5), 1);
}

// By hand: the middle value, or the mean of the two middle ones.
TEST(Median, IsTheMiddle) {
  EXPECT_EQ(median(std::array{9.0, 1.0, 5.0}), 5);
  EXPECT_EQ(median(std::array{9.0, 1.0, 5.0, 6.0}), 5.5);
  EXPECT_EQ(median(std::array{4.0}), 4);
}

TEST(QuantileDeathTest, ShareOutsideZeroToOneBreaksTheContract) {
  EXPECT_DEATH((void)quantile(std::array{1.0, 2.0}, 1.5), "broken contract");
  EXPECT_DEATH((void)quantile(std::array{1.0, 2.0}, -0.1), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
