#include "base/units.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace ergon {
namespace {

using namespace ergon::literals;

TEST(Units, PowerTimesTimeIsEnergy) {
  static_assert(std::is_same_v<decltype(250_W * 2_s), Joules>);
  static_assert(std::is_same_v<decltype(500_J / 2_s), Watts>);
  static_assert(std::is_same_v<decltype(500_J / 250_W), Seconds>);
  EXPECT_EQ(250_W * 2_s, 500_J);
}

TEST(Units, CyclesOverFrequencyIsTime) {
  static_assert(std::is_same_v<decltype(cycles(10) / 5_Hz), Seconds>);
  EXPECT_EQ(cycles(1'800'000'000) / 900_MHz, 2_s);
}

TEST(Units, BytesOverTimeIsADataRate) {
  static_assert(std::is_same_v<decltype(1_MiB / 1_s), BytesPerSecond>);
  EXPECT_EQ(bytes(244'000'000'000) / 2_s, 122_GBps);
}

TEST(Units, EqualUnitsCancelToARatio) {
  static_assert(std::is_same_v<decltype(1_W / 1_W), Ratio>);
  EXPECT_EQ((200_W / 250_W).si(), 0.8);
  EXPECT_EQ(Ratio{0.8} * 250_W, 200_W);
}

TEST(Units, FrequencyAndInverseTimeDiffer) {
  static_assert(!std::is_same_v<decltype(Ratio{1} / 1_s), Hertz>);
}

TEST(Units, TemperaturesHaveDifferencesButNoSum) {
  static_assert(std::is_same_v<decltype(40_degC - 20_degC), Kelvins>);
  EXPECT_EQ(40_degC - 15_degC, Kelvins{25});
  EXPECT_EQ(40_degC + Kelvins{2}, 42_degC);
  EXPECT_LT(39.5_degC, 40_degC);
}

TEST(Units, ArithmeticAndOrder) {
  Watts power = 100_W;
  power += 50_W;
  power *= 2;
  power -= 100_W;
  power /= 4;
  EXPECT_EQ(power, 50_W);
  EXPECT_EQ(-power, Watts{-50});
  EXPECT_LT(20_ms, 0.1_s);
  EXPECT_EQ(4_MiB, bytes(4'194'304));
  EXPECT_EQ(Watts{}, 0_W);
}

TEST(Units, WholeBytesAreExactToTwoToThe53) {
  EXPECT_EQ((bytes(9'007'199'254'740'991) + 1_B).si(), 9'007'199'254'740'992.0);
}

}  // namespace
}  // namespace ergon
