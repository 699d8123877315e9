#include "base/statistics/two_groups.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "base/statistics/distributions.h"
#include "check.h"

namespace ergon::statistics {
namespace {

// R 4.2: faithful$eruptions, minutes that a geyser spouts
constexpr std::array<double, 272> kEruptions{
    3.6,   1.8,   3.333, 2.283, 4.533, 2.883, 4.7,   3.6,   1.95,  4.35,  1.833, 3.917, 4.2,   1.75,  4.7,
    2.167, 1.75,  4.8,   1.6,   4.25,  1.8,   1.75,  3.45,  3.067, 4.533, 3.6,   1.967, 4.083, 3.85,  4.433,
    4.3,   4.467, 3.367, 4.033, 3.833, 2.017, 1.867, 4.833, 1.833, 4.783, 4.35,  1.883, 4.567, 1.75,  4.533,
    3.317, 3.833, 2.1,   4.633, 2,     4.8,   4.716, 1.833, 4.833, 1.733, 4.883, 3.717, 1.667, 4.567, 4.317,
    2.233, 4.5,   1.75,  4.8,   1.817, 4.4,   4.167, 4.7,   2.067, 4.7,   4.033, 1.967, 4.5,   4,     1.983,
    5.067, 2.017, 4.567, 3.883, 3.6,   4.133, 4.333, 4.1,   2.633, 4.067, 4.933, 3.95,  4.517, 2.167, 4,
    2.2,   4.333, 1.867, 4.817, 1.833, 4.3,   4.667, 3.75,  1.867, 4.9,   2.483, 4.367, 2.1,   4.5,   4.05,
    1.867, 4.7,   1.783, 4.85,  3.683, 4.733, 2.3,   4.9,   4.417, 1.7,   4.633, 2.317, 4.6,   1.817, 4.417,
    2.617, 4.067, 4.25,  1.967, 4.6,   3.767, 1.917, 4.5,   2.267, 4.65,  1.867, 4.167, 2.8,   4.333, 1.833,
    4.383, 1.883, 4.933, 2.033, 3.733, 4.233, 2.233, 4.533, 4.817, 4.333, 1.983, 4.633, 2.017, 5.1,   1.8,
    5.033, 4,     2.4,   4.6,   3.567, 4,     4.5,   4.083, 1.8,   3.967, 2.2,   4.15,  2,     3.833, 3.5,
    4.583, 2.367, 5,     1.933, 4.617, 1.917, 2.083, 4.583, 3.333, 4.167, 4.333, 4.5,   2.417, 4,     4.167,
    1.883, 4.583, 4.25,  3.767, 2.033, 4.433, 4.083, 1.833, 4.417, 2.183, 4.8,   1.833, 4.8,   4.1,   3.966,
    4.233, 3.5,   4.366, 2.25,  4.667, 2.1,   4.35,  4.133, 1.867, 4.6,   1.783, 4.367, 3.85,  1.933, 4.5,
    2.383, 4.7,   1.867, 3.833, 3.417, 4.233, 2.4,   4.8,   2,     4.15,  1.867, 4.267, 1.75,  4.483, 4,
    4.117, 4.083, 4.267, 3.917, 4.55,  4.083, 2.417, 4.183, 2.217, 4.45,  1.883, 1.85,  4.283, 3.95,  2.333,
    4.15,  2.35,  4.933, 2.9,   4.583, 3.833, 2.083, 4.367, 2.133, 4.35,  2.2,   4.45,  3.567, 4.5,   4.15,
    3.817, 3.917, 4.45,  2,     4.283, 4.767, 4.533, 1.85,  4.25,  1.983, 2.25,  4.75,  4.117, 2.15,  4.417,
    1.817, 4.467};

// The expected values of a normal sample of this size, sorted: normal by construction, without chance.
std::vector<double> normal_values(int count, double mean, double deviation) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i) values.push_back(mean + deviation * normal_quantile((i - 0.5) / count));
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct GroupsReference {
  double low_weight, low_mean, high_mean, low_deviation, high_deviation, threshold, separation, bic_advantage;
};

// The iteration ends when the likelihood gains less than a billionth, which leaves the parameters off in the
// fifth digit or so. The advantage is a difference of likelihoods at the maximum; that of one group is taken
// with the deviation of n - 1, which costs 1 / (2n).
void expect_agreement(const std::optional<TwoGroups>& actual, const GroupsReference& expected,
                      double relative) {
  ASSERT_TRUE(actual);
  EXPECT_TRUE(agrees(actual->low.weight, expected.low_weight, relative));
  EXPECT_TRUE(agrees(actual->high.weight, 1 - expected.low_weight, relative));
  EXPECT_TRUE(agrees(actual->low.mean, expected.low_mean, relative));
  EXPECT_TRUE(agrees(actual->high.mean, expected.high_mean, relative));
  EXPECT_TRUE(agrees(actual->low.deviation, expected.low_deviation, relative));
  EXPECT_TRUE(agrees(actual->high.deviation, expected.high_deviation, relative));
  EXPECT_TRUE(agrees(actual->threshold, expected.threshold, relative));
  EXPECT_TRUE(agrees(actual->separation, expected.separation, relative));
  EXPECT_NEAR(actual->bic_advantage, expected.bic_advantage, 0.01);
}

// References of the two tests that follow: expectation maximisation of the normal mixture in R 4.2 from the
// best split of the sorted values, until the log likelihood ll gains less than 1e-13 of itself:
//   da <- w * dnorm(v, m[1], s[1]); db <- (1 - w) * dnorm(v, m[2], s[2]); r <- da / (da + db); w <- mean(r)
//   m <- c(weighted.mean(v, r), weighted.mean(v, 1 - r))
//   s <- sqrt(c(weighted.mean((v - m[1])^2, r), weighted.mean((v - m[2])^2, 1 - r)))
// threshold:     uniroot(function(t) w * dnorm(t, m[1], s[1]) - (1 - w) * dnorm(t, m[2], s[2]), m, tol =
// 1e-12)$root separation:    sqrt(2) * diff(m) / sqrt(sum(s^2)) bic_advantage: 2 * (ll - sum(dnorm(v,
// mean(v), sqrt(mean((v - mean(v))^2)), log = TRUE))) - 3 * log(n)

TEST(TwoGroups, OfEruptionsAgreeWithR) {
  expect_agreement(split_in_two(kEruptions),
                   {0.34840465402642823, 2.0186078637003635, 4.2733434655020979, 0.23562184581785206,
                    0.4370630795767666, 2.8080007589971525, 6.4219267551511559, 273.29656504481534},
                   1e-4);
}

// v <- c(qnorm((1:80 - .5) / 80, 100, 10), qnorm((1:40 - .5) / 40, 160, 5))
TEST(TwoGroups, OfAKnownMixtureAgreeWithR) {
  expect_agreement(split_in_two(joined(normal_values(80, 100, 10), normal_values(40, 160, 5))),
                   {0.6666674172324395, 100.00005561611786, 160.0000238695319, 9.9207740450691695,
                    4.9212966632420958, 140.09894990616786, 7.6621089171930707, 150.97590540411434},
                   1e-4);
}

TEST(TwoGroups, DoNotDependOnTheOrderOfValues) {
  std::vector<double> reversed(kEruptions.rbegin(), kEruptions.rend());
  const auto a = split_in_two(kEruptions), b = split_in_two(reversed);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->threshold, b->threshold);
  EXPECT_EQ(a->bic_advantage, b->bic_advantage);
}

TEST(TwoGroups, OneNormalGroupIsNotSplit) {
  for (const int count : {20, 100, 400}) {
    const auto groups = split_in_two(normal_values(count, 50, 5));
    ASSERT_TRUE(groups);
    EXPECT_LT(groups->bic_advantage, 0) << count;
    EXPECT_LT(groups->low.mean, groups->high.mean) << count;
  }
}

TEST(TwoGroups, TwoNormalGroupsAreSplit) {
  for (const int count : {10, 50, 200}) {
    const auto groups = split_in_two(joined(normal_values(count, 50, 5), normal_values(count, 90, 5)));
    ASSERT_TRUE(groups);
    EXPECT_GT(groups->bic_advantage, 0) << count;
    EXPECT_GT(groups->separation, 2) << count;
  }
}

// By hand: equal groups mirror each other, so the threshold is the middle and each holds half.
TEST(TwoGroups, OfMirroredGroupsMeetInTheMiddle) {
  const auto groups = split_in_two(joined(normal_values(30, 10, 1), normal_values(30, 20, 1)));
  ASSERT_TRUE(groups);
  EXPECT_NEAR(groups->threshold, 15, 1e-6);
  EXPECT_NEAR(groups->low.weight, 0.5, 1e-6);
  EXPECT_NEAR(groups->low.deviation, groups->high.deviation, 1e-6);
}

// By hand: the same, with groups so narrow for their distance that both densities vanish in between.
TEST(TwoGroups, OfNarrowMirroredGroupsMeetInTheMiddle) {
  const auto powers = split_in_two(std::array{0.0, 1.0, 2.0, 3.0, 1000.0, 1001.0, 1002.0, 1003.0});
  ASSERT_TRUE(powers);
  EXPECT_NEAR(powers->threshold, 501.5, 1e-6);
  const auto ties = split_in_two(std::array{0.0, 0.0, 0.0, 100.0, 100.0, 100.0});
  ASSERT_TRUE(ties);
  EXPECT_NEAR(ties->threshold, 50, 1e-6);
}

// By hand: a quarter low, the rest high, each group all ties and as narrow as is allowed, half a thousandth
// of the range; the threshold t is where (t - 0)^2 - (t - 8)^2 = 2 s^2 log(1/3) with s = 0.004.
TEST(TwoGroups, OfTiesAreTheTwoValues) {
  const auto groups = split_in_two(std::array{8.0, 0.0, 8.0, 8.0});
  ASSERT_TRUE(groups);
  EXPECT_DOUBLE_EQ(groups->low.mean, 0);
  EXPECT_DOUBLE_EQ(groups->high.mean, 8);
  EXPECT_DOUBLE_EQ(groups->low.weight, 0.25);
  EXPECT_DOUBLE_EQ(groups->high.weight, 0.75);
  EXPECT_DOUBLE_EQ(groups->low.deviation, 0.004);
  EXPECT_DOUBLE_EQ(groups->high.deviation, 0.004);
  EXPECT_TRUE(agrees(groups->separation, 2000, 1e-12));
  EXPECT_TRUE(agrees(groups->threshold, 4 - 2 * 0.004 * 0.004 * std::log(3.0) / 16, 1e-9));
  EXPECT_GT(groups->bic_advantage, 0);
}

TEST(TwoGroups, ThresholdLiesBetweenTheMeans) {
  for (const auto& values :
       {joined(normal_values(95, 0, 10), normal_values(5, 12, 1)), normal_values(40, 3, 2),
        joined(normal_values(10, 0, 0.1), normal_values(90, 1, 10))}) {
    const auto groups = split_in_two(values);
    ASSERT_TRUE(groups);
    EXPECT_LE(groups->low.mean, groups->threshold);
    EXPECT_GE(groups->high.mean, groups->threshold);
    EXPECT_NEAR(groups->low.weight + groups->high.weight, 1, 1e-9);
  }
}

TEST(TwoGroups, AreAbsentForFewerThanFourValues) {
  EXPECT_FALSE(split_in_two({}));
  EXPECT_FALSE(split_in_two(std::array{1.0, 2.0, 9.0}));
  EXPECT_TRUE(split_in_two(std::array{1.0, 2.0, 9.0, 10.0}));
}

TEST(TwoGroups, AreAbsentForOneDistinctValue) {
  EXPECT_FALSE(split_in_two(std::array{0.1, 0.1, 0.1, 0.1, 0.1}));
  EXPECT_TRUE(split_in_two(std::array{0.1, 0.1, 0.1, 0.1, 0.2}));
}

}  // namespace
}  // namespace ergon::statistics
