#include "base/statistics/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "bootstrap_values.h"
#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

std::optional<double> variance(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double middle = *mean(values);
  double squares = 0;
  for (const double x : values) squares += (x - middle) * (x - middle);
  return squares / static_cast<double>(values.size() - 1);
}

TEST(Bootstrap, IsTheSameForTheSameSeed) {
  const auto first = bootstrap_values(kCarsDistance, mean, {.seed = 7});
  const auto second = bootstrap_values(kCarsDistance, mean, {.seed = 7});
  const auto other = bootstrap_values(kCarsDistance, mean, {.seed = 8});
  ASSERT_TRUE(first && second && other);
  EXPECT_EQ(first->low, second->low);
  EXPECT_EQ(first->high, second->high);
  EXPECT_EQ(first->estimate, other->estimate);
  EXPECT_NE(first->low, other->low);
  EXPECT_NE(first->high, other->high);
}

// R 4.2: t.test(cars$dist)$conf.int. The two differ in the second order: hence a tenth of the width.
TEST(Bootstrap, OfTheMeanIsCloseToStudentsInterval) {
  const auto interval = bootstrap_values(kCarsDistance, mean, {.resamples = 20000});
  ASSERT_TRUE(interval);
  constexpr double kLow = 35.656423948683795, kHigh = 50.303576051316192;
  EXPECT_DOUBLE_EQ(interval->estimate, 42.98);
  EXPECT_NEAR(interval->low, kLow, (kHigh - kLow) / 10);
  EXPECT_NEAR(interval->high, kHigh, (kHigh - kLow) / 10);
}

// R 4.2, with 200000 resamples; the plain percentiles of the same resamples, 0.4716 and 1.5247, are far off:
//   x <- -log((1:60 - .5) / 60); n <- 60; B <- 200000; set.seed(1)
//   t <- replicate(B, var(x[sample.int(n, n, TRUE)])); z0 <- qnorm(mean(t < var(x)))
//   j <- sapply(1:n, function(i) var(x[-i])); d <- mean(j) - j; a <- sum(d^3) / (6 * sum(d^2)^1.5)
//   z <- z0 + qnorm(c(.025, .975)); quantile(t, pnorm(z0 + z / (1 - a * z)))
TEST(Bootstrap, OfASkewedStatisticAgreesWithR) {
  std::vector<double> values;
  for (int i = 1; i <= 60; ++i) values.push_back(-std::log((i - 0.5) / 60));
  const auto interval = bootstrap_values(values, variance, {.resamples = 50000});
  ASSERT_TRUE(interval);
  EXPECT_TRUE(agrees(interval->estimate, 0.95487517294797386, 1e-12));
  EXPECT_NEAR(interval->low, 0.57545597451830011, 0.015);
  EXPECT_NEAR(interval->high, 1.8151564146848465, 0.05);
}

// The acceleration falls with the root of the number of observations, also where only some of them are left
// out. R 4.2, the script above with the mean of x <- -log((1:2000 * 0.6180339887498949) %% 1) and B <- 60000;
// the deviation of its resampled means is 0.02226, and the tolerance a twentieth of that.
TEST(Bootstrap, OfManySkewedValuesAgreesWithR) {
  std::vector<double> values;
  for (int i = 1; i <= 2000; ++i) values.push_back(-std::log(std::fmod(i * 0.6180339887498949, 1)));
  const auto interval = bootstrap_values(values, mean, {.resamples = 40000});
  ASSERT_TRUE(interval);
  EXPECT_TRUE(agrees(interval->estimate, 0.99903888890040271, 1e-12));
  EXPECT_NEAR(interval->low, 0.9566290228769545, 0.0011);
  EXPECT_NEAR(interval->high, 1.0438479666938834, 0.0011);
}

TEST(Bootstrap, WidensWithItsConfidence) {
  const auto narrow = bootstrap_values(kCarsDistance, mean, {.confidence = 0.5});
  const auto wide = bootstrap_values(kCarsDistance, mean, {.confidence = 0.99});
  ASSERT_TRUE(narrow && wide);
  EXPECT_LT(wide->low, narrow->low);
  EXPECT_LT(narrow->low, narrow->estimate);
  EXPECT_GT(narrow->high, narrow->estimate);
  EXPECT_GT(wide->high, narrow->high);
}

// About 95 of 100 intervals for the mean of 40 uniform values should hold it; far fewer or all would be an
// error.
TEST(Bootstrap, CoversAboutAsOftenAsItSays) {
  int held = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values;
    for (int i = 1; i <= 40; ++i) {
      values.push_back(std::fmod(std::abs(std::sin(trial * 40.0 + i) * 43758.5453), 1));
    }
    const auto interval =
        bootstrap_values(values, mean, {.resamples = 1000, .seed = static_cast<std::uint64_t>(trial)});
    ASSERT_TRUE(interval);
    held += interval->low <= 0.5 && 0.5 <= interval->high;
  }
  EXPECT_GE(held, 178);  // four standard deviations below 190
  EXPECT_LE(held, 199);
}

TEST(Bootstrap, DrawsAsManyIndicesAsThereAreFromAllOfThem) {
  std::set<std::size_t> seen;
  bool repeats = false;
  const auto interval =
      bootstrap(8,
                [&](std::span<const std::size_t> indices) -> std::optional<double> {
                  const std::set<std::size_t> distinct(indices.begin(), indices.end());
                  EXPECT_TRUE(indices.size() == 8 ||
                              (indices.size() == 7 && distinct.size() == 7));  // all, or one left out
                  repeats |= distinct.size() < indices.size();
                  seen.insert(distinct.begin(), distinct.end());
                  return static_cast<double>(indices.front());
                },
                {.resamples = 200});
  ASSERT_TRUE(interval);
  EXPECT_TRUE(repeats);
  EXPECT_EQ(seen.size(), 8u);
  EXPECT_EQ(*seen.rbegin(), 7u);
}

TEST(Bootstrap, OfEqualValuesHasNoWidth) {
  const auto interval = bootstrap_values(std::array{4.0, 4.0, 4.0, 4.0, 4.0}, mean, {});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->estimate, 4);
  EXPECT_EQ(interval->low, 4);
  EXPECT_EQ(interval->high, 4);
}

// Every resample lies at or above the estimate, so the correction is as strong as it can be, and must stay
// finite.
TEST(Bootstrap, OfAnExtremeStaysWithinTheResamples) {
  const auto least = [](std::span<const double> values) -> std::optional<double> {
    if (values.empty()) return std::nullopt;
    return *std::min_element(values.begin(), values.end());
  };
  const auto interval = bootstrap_values(kCarsDistance, least, {});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->estimate, 2);
  EXPECT_GE(interval->low, 2);
  EXPECT_LE(interval->low, interval->high);
  EXPECT_LE(interval->high, 120);
}

TEST(Bootstrap, IsAbsentWithoutObservations) { EXPECT_FALSE(bootstrap_values({}, mean, {})); }

TEST(Bootstrap, IsAbsentWhereTheStatisticIsUndefined) {
  const auto never = [](std::span<const double>) -> std::optional<double> { return std::nullopt; };
  EXPECT_FALSE(bootstrap_values(kCarsDistance, never, {}));
  EXPECT_FALSE(bootstrap_values(std::array{1.0}, variance, {}));
}

// The sum of ten indices where the first `needed` of them are there, else nothing.
IndexStatistic sum_if_first_are_there(std::size_t needed) {
  return [needed](std::span<const std::size_t> indices) -> std::optional<double> {
    for (std::size_t i = 0; i < needed; ++i) {
      if (std::find(indices.begin(), indices.end(), i) == indices.end()) return std::nullopt;
    }
    return static_cast<double>(std::accumulate(indices.begin(), indices.end(), std::size_t{0}));
  };
}

// By hand: of ten draws of ten, 1 - 0.9^10 = 65 % hold a given one, and 1 - 2 * 0.9^10 + 0.8^10 = 41 % a
// given two.
TEST(Bootstrap, SkipsResamplesWhereTheStatisticIsUndefined) {
  const auto interval = bootstrap(10, sum_if_first_are_there(1), {});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->estimate, 45);
  EXPECT_LT(interval->low, 45);
  EXPECT_GT(interval->high, 45);
}

TEST(Bootstrap, IsAbsentWhereTheStatisticIsUndefinedOnMostResamples) {
  EXPECT_FALSE(bootstrap(10, sum_if_first_are_there(2), {}));
}

TEST(BootstrapDeathTest, ImpossibleOptionsBreakTheContract) {
  EXPECT_DEATH((void)bootstrap_values(kCarsDistance, mean, {.resamples = 0}), "broken contract");
  EXPECT_DEATH((void)bootstrap_values(kCarsDistance, mean, {.confidence = 1}), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
