#include "base/statistics/least_squares.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

using Column = std::vector<double>;

template <std::size_t count>
Column column(const std::array<double, count>& values) {
  return {values.begin(), values.end()};
}

void expect_coefficients(const std::optional<std::vector<double>>& actual,
                         const std::vector<double>& expected, double relative) {
  ASSERT_TRUE(actual);
  ASSERT_EQ(actual->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(agrees((*actual)[i], expected[i], relative)) << i;
}

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
  Column far;
  for (const double x : kCarsSpeed) far.push_back(x + 1.7e9);
  const auto line = fit_line(far, kCarsDistance);
  ASSERT_TRUE(line);
  EXPECT_TRUE(agrees(line->slope, 3.9324087591240855, 1e-7));
  EXPECT_TRUE(agrees(line->slope_error, 0.41551277665712222, 1e-7));
  EXPECT_TRUE(agrees(line->residual_deviation, 15.379586748819907, 1e-7));
  EXPECT_TRUE(agrees(line->r_squared, 0.65107938075825089, 1e-7));
}

// R 4.2: coef(lm(mpg ~ wt + hp, mtcars))
TEST(FitLinear, AgreesWithR) {
  const std::vector<Column> columns{Column(32, 1.0), column(kWeight), column(kHorsepower)};
  expect_coefficients(fit_linear(columns, kMpg),
                      {37.227270116447201, -3.8778307424046821, -0.031772946982161002}, 1e-12);
}

// R 4.2: coef(lm(mpg ~ wt + hp, mtcars, weights = cyl))
TEST(FitLinear, WithWeightsAgreesWithR) {
  const std::vector<Column> columns{Column(32, 1.0), column(kWeight), column(kHorsepower)};
  expect_coefficients(fit_linear(columns, kMpg, kCylinders),
                      {35.935291612419974, -3.6040095890346748, -0.030213923997970418}, 1e-12);
}

// R 4.2: coef(lm(dist ~ 0 + speed, cars, weights = 1 / speed)), which is sum(dist) / sum(speed)
TEST(FitLinear, OfOneColumnAgreesWithR) {
  Column weights;
  for (const double x : kCarsSpeed) weights.push_back(1 / x);
  expect_coefficients(fit_linear(std::vector<Column>{column(kCarsSpeed)}, kCarsDistance, weights),
                      {2.790909090909091}, 1e-13);
}

// R 4.2: coef(lm(dist ~ speed + I(speed^2) + I(speed^3), cars)); the powers are nearly dependent
TEST(FitLinear, OfPowersAgreesWithR) {
  std::vector<Column> columns(4);
  for (const double x : kCarsSpeed) {
    for (int power = 0; power < 4; ++power)
      columns[static_cast<std::size_t>(power)].push_back(std::pow(x, power));
  }
  expect_coefficients(fit_linear(columns, kCarsDistance),
                      {-19.505049104911599, 6.8011059749968172, -0.3496578135710422, 0.010252047869826506},
                      1e-10);
}

TEST(FitLinear, ScalesOfColumnsDoNotMatter) {
  const std::vector<Column> columns{{1e-12, 2e-12, 4e-12}, {3e15, -1e15, 2e15}};
  const Column y{7e-12 + 6e15, 14e-12 - 2e15, 28e-12 + 4e15};
  const auto actual = fit_linear(columns, y);
  ASSERT_TRUE(actual);
  EXPECT_TRUE(agrees((*actual)[1], 2, 1e-12));
}

TEST(FitLinear, OfAsManyUnknownsAsRowsSolvesTheEquations) {
  // By hand: 2a + b = 5, a - b = 1 has a = 2, b = 1.
  expect_coefficients(fit_linear(std::vector<Column>{{2, 1}, {1, -1}}, std::array{5.0, 1.0}), {2, 1}, 1e-14);
}

TEST(FitLinear, RowsOfWeightZeroDoNotCount) {
  const std::vector<Column> all{Column(4, 1.0), {0, 1, 2, 3}};
  // By hand: the line 1 + 2x through the first three rows.
  expect_coefficients(fit_linear(all, std::array{1.0, 3.0, 5.0, 1000.0}, std::array{1.0, 1.0, 1.0, 0.0}),
                      {1, 2}, 1e-13);
}

TEST(FitLinear, IsAbsentWhenColumnsAreDependent) {
  const Column ones(5, 1.0), x{0.1, 0.2, 0.3, 0.4, 0.7};
  Column sum, twice;
  for (const double v : x) {
    sum.push_back(1 + v);
    twice.push_back(2 * v);
  }
  const std::array y{1.0, 5.0, 2.0, 8.0, 3.0};
  EXPECT_FALSE(fit_linear(std::vector{ones, x, sum}, y));
  EXPECT_FALSE(fit_linear(std::vector{x, twice}, y));
  EXPECT_FALSE(fit_linear(std::vector{ones, Column(5, 0.0)}, y));
  EXPECT_FALSE(fit_linear(std::vector{ones, Column(5, 0.1)}, y));
}

TEST(FitLinear, IsAbsentWhenWeightsLeaveTooFewRows) {
  const std::vector<Column> columns{Column(3, 1.0), {1, 2, 3}};
  EXPECT_FALSE(fit_linear(columns, std::array{1.0, 2.0, 4.0}, std::array{0.0, 1.0, 0.0}));
}

TEST(FitLinear, IsAbsentWithoutColumnsOrWithFewerRows) {
  EXPECT_FALSE(fit_linear({}, std::array{1.0, 2.0}));
  EXPECT_FALSE(fit_linear(std::vector<Column>{{1}, {2}}, std::array{1.0}));
}

TEST(LeastSquaresDeathTest, UnequalLengthsBreakTheContract) {
  EXPECT_DEATH((void)fit_line(std::array{1.0, 2.0, 3.0}, std::array{1.0, 2.0}), "broken contract");
  EXPECT_DEATH((void)fit_linear(std::vector<Column>{{1, 2, 3}}, std::array{1.0, 2.0}), "broken contract");
  EXPECT_DEATH((void)fit_linear(std::vector<Column>{{1, 2}}, std::array{1.0, 2.0}, std::array{1.0}),
               "broken contract");
}

}  // namespace
}  // namespace ergon::statistics
