#include "service/metrics/watch_state.h"

#include <limits>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using namespace literals;

constexpr std::int64_t kWallStart = 1'700'000'000'000'000'000;

// A device that is read at moments that the test names.
struct WatchedLife {
  explicit WatchedLife(const WatchLimits& limits = {}) : state(nobody(), limits) {}

  static GpuReading nobody() {
    GpuReading reading;
    reading.identity.uuid = "GPU-1";
    reading.identity.name = "A";
    return reading;
  }
  static Instant at(double seconds) { return Instant{} + Seconds{seconds}; }

  void read(double seconds, std::optional<Watts> power, std::optional<Joules> energy = {}) {
    GpuReading reading = nobody();
    reading.at = Timestamp{kWallStart + at(seconds).ns};
    reading.answers = true;
    reading.power = power;
    reading.energy = energy;
    state.step(reading, at(seconds));
  }
  void lose(double seconds) {
    GpuReading reading = nobody();
    reading.power = 77_W;  // which is not believed
    state.step(reading, at(seconds));
  }
  WatchedDevice seen(double seconds) const { return state.seen(at(seconds)); }

  WatchState state;
};

TEST(WatchState, HasNothingBeforeTheFirstReading) {
  const WatchedLife life;
  EXPECT_FALSE(life.seen(0).reading.answers);
  EXPECT_EQ(life.seen(0).reading.identity.uuid, "GPU-1");
  EXPECT_TRUE(life.seen(0).history.empty());
}

TEST(WatchState, TellsTheNewestReading) {
  WatchedLife life;
  life.read(1, 100_W, 5_J);
  life.read(2, 110_W, 115_J);
  EXPECT_TRUE(life.seen(2).reading.answers);
  EXPECT_EQ(life.seen(2).reading.power, 110_W);
  EXPECT_EQ(life.seen(2).reading.energy, 115_J);
}

TEST(WatchState, IntegratesPowerAlongStraightLines) {
  WatchedLife life;
  life.read(10, 100_W);
  EXPECT_EQ(life.seen(10).reading.energy, 0_J);
  life.read(11, 200_W);
  EXPECT_DOUBLE_EQ(life.seen(11).reading.energy->si(), 150);
  life.read(13, 200_W);
  EXPECT_DOUBLE_EQ(life.seen(13).reading.energy->si(), 550);
}

TEST(WatchState, CountsNothingOverAGap) {
  WatchedLife life({.longest_gap = 10_s});
  life.read(0, 100_W);
  life.read(10, 100_W);
  EXPECT_DOUBLE_EQ(life.seen(10).reading.energy->si(), 1000);
  life.read(20.5, 100_W);
  EXPECT_DOUBLE_EQ(life.seen(20.5).reading.energy->si(), 1000);
  life.read(21.5, 100_W);
  EXPECT_DOUBLE_EQ(life.seen(21.5).reading.energy->si(), 1100);
}

TEST(WatchState, CountsOverAReadingThatFailed) {
  WatchedLife life;
  life.read(0, 100_W);
  life.lose(1);
  EXPECT_FALSE(life.seen(1).reading.answers);
  EXPECT_FALSE(life.seen(1).reading.power);
  EXPECT_FALSE(life.seen(1).reading.energy);
  life.read(2, 100_W);
  EXPECT_DOUBLE_EQ(life.seen(2).reading.energy->si(), 200);
}

TEST(WatchState, ACounterThatBeginsAnewGoesOn) {
  WatchedLife life;
  life.read(0, 100_W, 1000_J);
  life.read(1, 100_W, 1100_J);
  life.read(2, 100_W, 3_J);
  EXPECT_EQ(life.seen(2).reading.energy, 1100_J);
  life.read(3, 100_W, 103_J);
  EXPECT_EQ(life.seen(3).reading.energy, 1200_J);
}

TEST(WatchState, ACounterThatCouldNotBeReadIsNotIntegrated) {
  WatchedLife life;
  life.read(0, 100_W, 1000_J);
  life.read(1, 500_W);
  EXPECT_FALSE(life.seen(1).reading.energy);
  life.read(2, 100_W, 1200_J);
  EXPECT_EQ(life.seen(2).reading.energy, 1200_J);
}

TEST(WatchState, ACounterThatComesLateDoesNotLetEnergyFall) {
  WatchedLife life;
  life.read(0, 100_W);
  life.read(1, 100_W);
  life.read(2, 100_W, 7_J);
  EXPECT_EQ(life.seen(2).reading.energy, 100_J);
  life.read(3, 100_W, 9_J);
  EXPECT_EQ(life.seen(3).reading.energy, 102_J);
}

TEST(WatchState, PowerOfACounterAloneIsTheMeanSinceTheLastReading) {
  WatchedLife life;
  life.read(0, std::nullopt, 500_J);
  EXPECT_FALSE(life.seen(0).reading.power);
  EXPECT_EQ(life.seen(0).reading.energy, 500_J);
  life.read(2, std::nullopt, 600_J);
  EXPECT_DOUBLE_EQ(life.seen(2).reading.power->si(), 50);
  EXPECT_EQ(life.seen(2).history.size(), 1u);
  life.read(3, std::nullopt, 20_J);  // began anew: who knows
  EXPECT_FALSE(life.seen(3).reading.power);
  life.read(4, std::nullopt, 50_J);
  EXPECT_DOUBLE_EQ(life.seen(4).reading.power->si(), 30);
}

TEST(WatchState, WhatIsNoNumberIsAbsent) {
  WatchedLife life;
  life.read(0, 100_W);
  life.read(1, Watts{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_FALSE(life.seen(1).reading.power);
  life.read(2, 100_W);
  EXPECT_DOUBLE_EQ(life.seen(2).reading.energy->si(), 200);
  EXPECT_EQ(life.seen(2).history.size(), 2u);
}

TEST(WatchState, KeepsTenMinutesEachSecond) {
  WatchedLife life;
  for (int i = 0; i <= 1500; ++i) life.read(i + (i % 3) * 0.01, Watts{static_cast<double>(i)});
  const WatchedDevice seen = life.seen(1500);
  ASSERT_EQ(seen.history.size(), 601u);
  EXPECT_EQ(seen.history.front().power, 900_W);
  EXPECT_EQ(seen.history.front().at.ns, kWallStart + 900'000'000'000);
  EXPECT_EQ(seen.history.back().power, 1500_W);
}

TEST(WatchState, KeepsNoMoreWhereReadingsAreFrequent) {
  WatchedLife life;
  for (int i = 0; i <= 100'000; ++i) life.read(i * 0.01, 50_W);
  const auto history = life.seen(1000).history;
  EXPECT_LE(history.size(), 668u);
  EXPECT_GE(history.size(), 600u);
  EXPECT_LE((history.back().at - history.front().at), 600_s);
  EXPECT_GE((history.back().at - history.front().at), 598_s);
}

TEST(WatchState, ForgetsADeviceThatIsNotHeardOf) {
  WatchedLife life;
  life.read(0, 100_W, 40_J);
  life.read(1, 100_W, 140_J);
  EXPECT_TRUE(life.seen(11).reading.answers);
  EXPECT_FALSE(life.seen(11.5).reading.answers);
  EXPECT_FALSE(life.seen(11.5).reading.power);
  EXPECT_FALSE(life.seen(11.5).reading.energy);
  EXPECT_EQ(life.seen(11.5).reading.identity.name, "A");
  EXPECT_EQ(life.seen(600).history.size(), 2u);
  EXPECT_EQ(life.seen(600.5).history.size(), 1u);
  EXPECT_EQ(life.seen(700).history.size(), 0u);
}

TEST(WatchState, HistoryAgesWhileADeviceIsLost) {
  WatchedLife life;
  life.read(0, 100_W);
  for (int i = 1; i <= 599; ++i) life.lose(i);
  EXPECT_EQ(life.seen(599).history.size(), 1u);
  life.lose(601);
  EXPECT_EQ(life.seen(601).history.size(), 0u);
  life.read(602, 90_W);
  EXPECT_TRUE(life.seen(602).reading.answers);
  EXPECT_EQ(life.seen(602).reading.energy, 0_J);
}

}  // namespace
}  // namespace ergon::service
