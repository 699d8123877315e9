#include "base/statistics/moments.h"

#include <array>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "check.h"
#include "reference_data.h"

namespace ergon::statistics {
namespace {

Moments moments_of(std::span<const double> values) {
  Moments moments;
  for (const double x : values) moments.add(x);
  return moments;
}

// R 4.2: d <- cars$dist; c(mean(d), var(d), sd(d), sd(d) / sqrt(50), sd(d) / mean(d), min(d), max(d))
TEST(Moments, AgreeWithR) {
  const Moments moments = moments_of(kCarsDistance);
  EXPECT_EQ(moments.count(), 50u);
  EXPECT_TRUE(agrees(*moments.mean(), 42.979999999999997, 1e-14));
  EXPECT_TRUE(agrees(*moments.variance(), 664.06081632653058, 1e-14));
  EXPECT_TRUE(agrees(*moments.standard_deviation(), 25.769377492025892, 1e-14));
  EXPECT_TRUE(agrees(*moments.standard_error(), 3.6443403143134989, 1e-14));
  EXPECT_TRUE(agrees(*moments.coefficient_of_variation(), 0.59956671689218, 1e-14));
  EXPECT_EQ(moments.min(), 2);
  EXPECT_EQ(moments.max(), 120);
}

TEST(Moments, OfNothingAreAbsent) {
  const Moments moments;
  EXPECT_EQ(moments.count(), 0u);
  EXPECT_FALSE(moments.mean());
  EXPECT_FALSE(moments.min());
  EXPECT_FALSE(moments.max());
  EXPECT_FALSE(moments.variance());
  EXPECT_FALSE(moments.standard_deviation());
  EXPECT_FALSE(moments.standard_error());
  EXPECT_FALSE(moments.coefficient_of_variation());
}

TEST(Moments, OfOneValueHaveNoSpread) {
  Moments moments;
  moments.add(-3.5);
  EXPECT_EQ(moments.mean(), -3.5);
  EXPECT_EQ(moments.min(), -3.5);
  EXPECT_EQ(moments.max(), -3.5);
  EXPECT_FALSE(moments.variance());
  EXPECT_FALSE(moments.standard_deviation());
  EXPECT_FALSE(moments.standard_error());
  EXPECT_FALSE(moments.coefficient_of_variation());
}

TEST(Moments, OfEqualValuesHaveZeroSpread) {
  const Moments moments = moments_of(std::array{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_EQ(moments.mean(), 0.1);
  EXPECT_EQ(moments.variance(), 0.0);
  EXPECT_EQ(moments.coefficient_of_variation(), 0.0);
}

// By hand: mean 0, variance (4 + 4) / 1.
TEST(Moments, VariationIsAbsentForAMeanOfZero) {
  const Moments moments = moments_of(std::array{-2.0, 2.0});
  EXPECT_EQ(moments.mean(), 0.0);
  EXPECT_EQ(moments.variance(), 8.0);
  EXPECT_FALSE(moments.coefficient_of_variation());
}

// By hand: mean -4, deviation 2, so 2 / |-4|.
TEST(Moments, VariationIsPositiveForANegativeMean) {
  const Moments moments = moments_of(std::array{-6.0, -4.0, -2.0});
  EXPECT_DOUBLE_EQ(*moments.coefficient_of_variation(), 0.5);
  EXPECT_EQ(moments.max(), -2);
  EXPECT_EQ(moments.min(), -6);
}

// By hand: the textbook case (4, 7, 13, 16), mean 10 and variance 30, far from zero; every sum is exact.
TEST(Moments, KeepTheirDigitsFarFromZero) {
  const Moments moments = moments_of(std::array{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  EXPECT_EQ(moments.mean(), 1e9 + 10);
  EXPECT_EQ(moments.variance(), 30.0);
}

// R 4.2: i <- 1:1000; c(mean(sin(i)), var(sin(i))). Storing 1e9 + sin(i) rounds to 1.2e-7, which bounds the
// agreement.
TEST(Moments, OfALongStreamKeepTheirDigitsFarFromZero) {
  Moments moments;
  for (int i = 1; i <= 1000; ++i) moments.add(1e9 + std::sin(i));
  EXPECT_NEAR(*moments.mean() - 1e9, 0.00081396963407316713, 1e-6);
  EXPECT_TRUE(agrees(*moments.variance(), 0.50069260206819999, 1e-7));
}

TEST(Moments, MergeAsIfTheyHadBeenOneStream) {
  const std::span all(kCarsDistance);
  for (std::size_t split = 0; split <= all.size(); ++split) {
    Moments merged = moments_of(all.first(split));
    merged.merge(moments_of(all.subspan(split)));
    EXPECT_EQ(merged.count(), 50u);
    EXPECT_TRUE(agrees(*merged.mean(), 42.979999999999997, 1e-14)) << split;
    EXPECT_TRUE(agrees(*merged.variance(), 664.06081632653058, 1e-14)) << split;
    EXPECT_EQ(merged.min(), 2) << split;
    EXPECT_EQ(merged.max(), 120) << split;
  }
}

// By hand, as above: (4, 7) and (13, 16) far from zero.
TEST(Moments, MergeKeepsTheirDigitsFarFromZero) {
  Moments merged = moments_of(std::array{1e9 + 4, 1e9 + 7});
  merged.merge(moments_of(std::array{1e9 + 13, 1e9 + 16}));
  EXPECT_EQ(merged.mean(), 1e9 + 10);
  EXPECT_EQ(merged.variance(), 30.0);
}

TEST(Moments, MergingAnEmptyStreamChangesNothing) {
  Moments moments = moments_of(std::array{5.0, 6.0});
  moments.merge(Moments{});
  EXPECT_EQ(moments.count(), 2u);
  EXPECT_EQ(moments.mean(), 5.5);
  EXPECT_EQ(moments.min(), 5);
  Moments empty;
  empty.merge(moments);
  EXPECT_EQ(empty.count(), 2u);
  EXPECT_EQ(empty.variance(), 0.5);
  EXPECT_EQ(empty.max(), 6);
}

// By hand: (1, 3, 1, 3) has mean 2 and squares 4.
TEST(Moments, MergingWithThemselvesDoublesTheCount) {
  Moments moments = moments_of(std::array{1.0, 3.0});
  moments.merge(moments);
  EXPECT_EQ(moments.count(), 4u);
  EXPECT_EQ(moments.mean(), 2.0);
  EXPECT_DOUBLE_EQ(*moments.variance(), 4.0 / 3);
}

}  // namespace
}  // namespace ergon::statistics
