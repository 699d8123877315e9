#include "base/statistics/least_squares.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

// R 4.2: m <- summary(lm(dist ~ speed, cars)); m$coef[, 1:2]; m$sigma; m$r.squared
TEST(FitLine, AgreesWithR) {
  const auto line = fit_line(kCarsSpeed, kCarsDistance);
  ASSERT_TRUE(line);
  EXPECT_TRUE(agrees(line->slope, 3.9324087591240855, 1e-13));
  EXPECT_TRUE(agrees(line->intercept, -17.579094890510895, 1e-13));
  EXPECT_TRUE(agrees(line->slope_error, 0.41551277665712222, 1e-13));
  EXPECT_TRUE(agrees(line->intercept_error, 6.7584401693792335, 1e-13));
  EXPECT_TRUE(agrees(line->residual_deviation, 15.379586748819907, 1e-13));
  EXPECT_TRUE(agrees(line->r_squared, 0.65107938075825089, 1e-13));
  EXPECT_DOUBLE_EQ(line->at(10), line->intercept + 10 * line->slope);
}

TEST(FitLine, ThroughExactPointsLeavesNoError) {
  const auto line = fit_line(std::array{0.0, 1.0, 2.0, 4.0}, std::array{3.0, 1.0, -1.0, -5.0});
  ASSERT_TRUE(line);
  EXPECT_DOUBLE_EQ(line->slope, -2);
  EXPECT_DOUBLE_EQ(line->intercept, 3);
  EXPECT_NEAR(line->residual_deviation, 0, 1e-14);
  EXPECT_NEAR(line->slope_error, 0, 1e-14);
  EXPECT_DOUBLE_EQ(line->r_squared, 1);
}

TEST(FitLine, IsAbsentForFewerThanThreePoints) {
  EXPECT_FALSE(fit_line({}, {}));
  EXPECT_FALSE(fit_line(std::array{1.0, 2.0}, std::array{1.0, 2.0}));
}

TEST(FitLine, IsAbsentWhenXDoesNotVary) {
  EXPECT_FALSE(fit_line(std::array{2.0, 2.0, 2.0}, std::array{1.0, 2.0, 3.0}));
}

// The mean of equal values, added up and divided, is not always that value: 0.1 + 0.1 + 0.1 is above 0.3.
TEST(FitLine, IsAbsentWhenXDoesNotVaryButItsMeanRounds) {
  EXPECT_FALSE(fit_line(std::array{0.1, 0.1, 0.1}, std::array{1.0, 2.0, 3.0}));
}

TEST(FitLine, OfConstantYIsFlatAndExact) {
  for (const double value : {5.0, 0.1}) {
    const auto line = fit_line(std::array{1.0, 2.0, 4.0}, std::array{value, value, value});
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->slope, 0, 1e-16) << value;
    EXPECT_DOUBLE_EQ(line->intercept, value);
    EXPECT_EQ(line->r_squared, 1) << value;
  }
}

// Seconds since 1970 as x: everything but the intercept is what it is near zero. Whole x keep the offset
// exact.
TEST(FitLine, KeepsItsDigitsFarFromZero) {
  std::vector<double> far;
  for (const double x : kCarsSpeed) far.push_back(x + 1.7e9);
  const auto line = fit_line(far, kCarsDistance);
  ASSERT_TRUE(line);
  EXPECT_TRUE(agrees(line->slope, 3.9324087591240855, 1e-7));
  EXPECT_TRUE(agrees(line->slope_error, 0.41551277665712222, 1e-7));
  EXPECT_TRUE(agrees(line->residual_deviation, 15.379586748819907, 1e-7));
  EXPECT_TRUE(agrees(line->r_squared, 0.65107938075825089, 1e-7));
}

TEST(LeastSquaresDeathTest, UnequalLengthsBreakTheContract) {
  EXPECT_DEATH((void)fit_line(std::array{1.0, 2.0, 3.0}, std::array{1.0, 2.0}), "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
