#include "base/statistics/correlation.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

// R 4.2: cor(cars$speed, cars$dist), cor(mtcars$mpg, mtcars$cyl)
TEST(Pearson, AgreesWithR) {
  EXPECT_TRUE(agrees(*pearson(kCarsSpeed, kCarsDistance), 0.80689490068921044, 1e-14));
  EXPECT_TRUE(agrees(*pearson(kMpg, kCylinders), -0.85216195942661321, 1e-14));
}

// R 4.2: the same with method = "spearman"; speed, dist, mpg and cyl all have ties
TEST(Spearman, AgreesWithRDespiteTies) {
  EXPECT_TRUE(agrees(*spearman(kCarsSpeed, kCarsDistance), 0.83035683883299338, 1e-14));
  EXPECT_TRUE(agrees(*spearman(kMpg, kCylinders), -0.91080131086247873, 1e-14));
}

// R 4.2: i <- 1:30; cor(i, exp(i / 3)), and 1 and -1 with method = "spearman"
TEST(Spearman, SeesMonotonePearsonSeesLinear) {
  std::vector<double> x, y, falling;
  for (int i = 1; i <= 30; ++i) {
    x.push_back(i);
    y.push_back(std::exp(i / 3.0));
    falling.push_back(-y.back());
  }
  EXPECT_TRUE(agrees(*pearson(x, y), 0.69563610453133207, 1e-14));
  EXPECT_DOUBLE_EQ(*spearman(x, y), 1);
  EXPECT_DOUBLE_EQ(*spearman(x, falling), -1);
}

// R 4.2: rank(c(3.5, -1, 7.25, 0, 12, 3.5, -1, 3.5))
TEST(Ranks, ShareTheMeanOfTies) {
  EXPECT_EQ(ranks(std::array{3.5, -1.0, 7.25, 0.0, 12.0, 3.5, -1.0, 3.5}),
            (std::vector<double>{5, 1.5, 7, 3, 8, 5, 1.5, 5}));
  EXPECT_EQ(ranks(std::array{2.0, 2.0, 2.0, 2.0}), (std::vector<double>{2.5, 2.5, 2.5, 2.5}));
  EXPECT_EQ(ranks(std::array{8.0}), std::vector<double>{1});
  EXPECT_TRUE(ranks({}).empty());
}

TEST(Pearson, OfALineIsOneAndNeverMore) {
  const std::array x{0.1, 0.2, 0.3, 0.7};
  const std::array rising{1.3, 1.6, 1.9, 3.1}, falling{-1.3, -1.6, -1.9, -3.1};
  EXPECT_DOUBLE_EQ(*pearson(x, rising), 1);
  EXPECT_DOUBLE_EQ(*pearson(x, falling), -1);
  EXPECT_LE(*pearson(x, rising), 1);
  EXPECT_GE(*pearson(x, falling), -1);
}

// By hand: the same four points with and without an offset, all sums exact.
TEST(Pearson, KeepsItsDigitsFarFromZero) {
  const std::array x{4.0, 7.0, 13.0, 16.0}, y{1.0, 5.0, 4.0, 10.0};
  std::array<double, 4> far_x, far_y;
  for (std::size_t i = 0; i < 4; ++i) {
    far_x[i] = x[i] + 1e9;
    far_y[i] = y[i] - 1e9;
  }
  EXPECT_DOUBLE_EQ(*pearson(far_x, far_y), *pearson(x, y));
}

TEST(Pearson, IsAbsentForFewerThanTwoPairs) {
  EXPECT_FALSE(pearson({}, {}));
  EXPECT_FALSE(pearson(std::array{1.0}, std::array{2.0}));
  EXPECT_FALSE(spearman({}, {}));
  EXPECT_FALSE(spearman(std::array{1.0}, std::array{2.0}));
}

TEST(Pearson, IsAbsentWhenOneSideDoesNotVary) {
  const std::array varies{1.0, 2.0, 4.0}, constant{3.0, 3.0, 3.0};
  EXPECT_FALSE(pearson(varies, constant));
  EXPECT_FALSE(pearson(constant, varies));
  EXPECT_FALSE(spearman(varies, constant));
  EXPECT_FALSE(spearman(constant, varies));
}

// The mean of equal values, added up and divided, is not always that value: 0.1 + 0.1 + 0.1 is above 0.3.
TEST(Pearson, IsAbsentWhenOneSideDoesNotVaryButItsMeanRounds) {
  for (const double value : {0.1, 0.7, 1e-3, 1.1e9}) {
    for (std::size_t count = 2; count < 40; ++count) {
      const std::vector<double> constant(count, value);
      std::vector<double> varies;
      for (std::size_t i = 0; i < count; ++i) varies.push_back(std::sin(static_cast<double>(i)));
      EXPECT_FALSE(pearson(constant, varies)) << count << " times " << value;
      EXPECT_FALSE(pearson(varies, constant)) << count << " times " << value;
    }
  }
}

TEST(CorrelationDeathTest, UnequalLengthsBreakTheContract) {
  EXPECT_DEATH((void)pearson(std::array{1.0, 2.0}, std::array{1.0}), "broken contract");
  EXPECT_DEATH((void)spearman(std::array{1.0, 2.0}, std::array{1.0}), "broken contract");
}

// R 4.2: cor.test(mtcars$wt, mtcars$mpg)$conf.int, which is Fisher's interval for 32 pairs.
TEST(FisherInterval, AgreesWithR) {
  const Interval interval = fisher_interval(-0.8676593765172278, 32, 1);
  EXPECT_NEAR(interval.low, -0.9338264, 1e-6);
  EXPECT_NEAR(interval.high, -0.7440872, 1e-6);
}

TEST(FisherInterval, OfAPerfectCorrelationHasNoWidth) {
  const Interval interval = fisher_interval(1, 100, 1);
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 1);
}

TEST(Pearson, OfNumbersTooLargeToSquareIsAbsent) {
  EXPECT_EQ(pearson(std::vector<double>{1e300, -1e300, 3}, std::vector<double>{1, 2, 3}), std::nullopt);
}

}  // namespace
}  // namespace ergon::statistics
