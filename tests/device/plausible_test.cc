#include "device/plausible.h"

#include <limits>

#include <gtest/gtest.h>

namespace ergon::device {
namespace {

using namespace literals;

TEST(Plausible, PowerIsUpToHalfAboveTheHighestLimit) {
  EXPECT_EQ(max_plausible_power(PowerLimits{200_W, 250_W, 100_W, 300_W}), 450_W);
  EXPECT_EQ(max_plausible_power(std::nullopt), 5000_W);
}

TEST(Plausible, RangesIncludeTheirBounds) {
  EXPECT_TRUE(is_plausible(Celsius{-40}) && is_plausible(Celsius{150}));
  EXPECT_FALSE(is_plausible(Celsius{-41}) || is_plausible(Celsius{151}));
  EXPECT_TRUE(is_plausible(Hertz{0}) && is_plausible(Hertz{10e9}));
  EXPECT_FALSE(is_plausible(Hertz{10.1e9}));
  EXPECT_TRUE(is_plausible(GpuUtilization{0, 1}));
  EXPECT_FALSE(is_plausible(GpuUtilization{0, 1.01}) || is_plausible(GpuUtilization{-0.01, 0}));
  EXPECT_TRUE(is_plausible(MemoryUse{8_GiB, 8_GiB}));
  EXPECT_FALSE(is_plausible(MemoryUse{8_GiB, 9_GiB}));
}

TEST(Plausible, NotANumberIsNot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_plausible(Celsius{nan}));
  EXPECT_FALSE(is_plausible(Hertz{nan}));
  EXPECT_FALSE(is_plausible(GpuUtilization{nan, 0.5}));
}

}  // namespace
}  // namespace ergon::device
