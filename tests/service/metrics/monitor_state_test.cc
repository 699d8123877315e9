#include "service/metrics/monitor_state.h"

#include <limits>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using namespace literals;

constexpr std::int64_t kWallStart = 1'700'000'000'000'000'000;

// A device that is read at given times.
struct DeviceTimeline {
  explicit DeviceTimeline(const MonitorLimits& limits = {}) : state(nobody(), limits) {}

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
    reading.responding = true;
    reading.power = power;
    reading.energy = energy;
    state.add_reading(reading, at(seconds));
  }
  void lose(double seconds) {
    GpuReading reading = nobody();
    reading.power = 77_W;  // ignored, because the device does not respond
    state.add_reading(reading, at(seconds));
  }
  MonitoredDevice seen(double seconds) const { return state.device_at(at(seconds)); }

  MonitorState state;
};

TEST(MonitorState, IsEmptyBeforeTheFirstReading) {
  const DeviceTimeline timeline;
  EXPECT_FALSE(timeline.seen(0).reading.responding);
  EXPECT_EQ(timeline.seen(0).reading.identity.uuid, "GPU-1");
  EXPECT_TRUE(timeline.seen(0).history.empty());
}

TEST(MonitorState, ReturnsTheLatestReading) {
  DeviceTimeline timeline;
  timeline.read(1, 100_W, 5_J);
  timeline.read(2, 110_W, 115_J);
  EXPECT_TRUE(timeline.seen(2).reading.responding);
  EXPECT_EQ(timeline.seen(2).reading.power, 110_W);
  EXPECT_EQ(timeline.seen(2).reading.energy, 115_J);
}

TEST(MonitorState, CountsEnergySinceTheFirstReading) {
  DeviceTimeline timeline;
  EXPECT_FALSE(timeline.seen(0).energy_since_start);
  timeline.read(1, 100_W, 5000_J);
  EXPECT_EQ(timeline.seen(1).energy_since_start, 0_J);
  timeline.read(2, 110_W, 5105_J);
  EXPECT_EQ(timeline.seen(2).energy_since_start, 105_J);
  timeline.lose(3);
  EXPECT_EQ(timeline.seen(3).energy_since_start, 105_J);
}

TEST(MonitorState, IntegratesPowerWithTheTrapezoidRule) {
  DeviceTimeline timeline;
  timeline.read(10, 100_W);
  EXPECT_EQ(timeline.seen(10).reading.energy, 0_J);
  timeline.read(11, 200_W);
  EXPECT_DOUBLE_EQ(timeline.seen(11).reading.energy->si(), 150);
  timeline.read(13, 200_W);
  EXPECT_DOUBLE_EQ(timeline.seen(13).reading.energy->si(), 550);
}

TEST(MonitorState, DoesNotIntegrateOverAGap) {
  DeviceTimeline timeline({.max_gap = 10_s});
  timeline.read(0, 100_W);
  timeline.read(10, 100_W);
  EXPECT_DOUBLE_EQ(timeline.seen(10).reading.energy->si(), 1000);
  timeline.read(20.5, 100_W);
  EXPECT_DOUBLE_EQ(timeline.seen(20.5).reading.energy->si(), 1000);
  timeline.read(21.5, 100_W);
  EXPECT_DOUBLE_EQ(timeline.seen(21.5).reading.energy->si(), 1100);
}

TEST(MonitorState, IntegratesOverAFailedReading) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W);
  timeline.lose(1);
  EXPECT_FALSE(timeline.seen(1).reading.responding);
  EXPECT_FALSE(timeline.seen(1).reading.power);
  EXPECT_FALSE(timeline.seen(1).reading.energy);
  timeline.read(2, 100_W);
  EXPECT_DOUBLE_EQ(timeline.seen(2).reading.energy->si(), 200);
}

TEST(MonitorState, ContinuesAfterACounterRestart) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W, 1000_J);
  timeline.read(1, 100_W, 1100_J);
  timeline.read(2, 100_W, 3_J);
  EXPECT_EQ(timeline.seen(2).reading.energy, 1100_J);
  timeline.read(3, 100_W, 103_J);
  EXPECT_EQ(timeline.seen(3).reading.energy, 1200_J);
}

TEST(MonitorState, DoesNotIntegrateIfTheCounterFails) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W, 1000_J);
  timeline.read(1, 500_W);
  EXPECT_FALSE(timeline.seen(1).reading.energy);
  timeline.read(2, 100_W, 1200_J);
  EXPECT_EQ(timeline.seen(2).reading.energy, 1200_J);
}

TEST(MonitorState, ALateCounterDoesNotDecreaseEnergy) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W);
  timeline.read(1, 100_W);
  timeline.read(2, 100_W, 7_J);
  EXPECT_EQ(timeline.seen(2).reading.energy, 100_J);
  timeline.read(3, 100_W, 9_J);
  EXPECT_EQ(timeline.seen(3).reading.energy, 102_J);
}

TEST(MonitorState, PowerFromACounterIsTheMeanSinceThePreviousReading) {
  DeviceTimeline timeline;
  timeline.read(0, std::nullopt, 500_J);
  EXPECT_FALSE(timeline.seen(0).reading.power);
  EXPECT_EQ(timeline.seen(0).reading.energy, 500_J);
  timeline.read(2, std::nullopt, 600_J);
  EXPECT_DOUBLE_EQ(timeline.seen(2).reading.power->si(), 50);
  EXPECT_EQ(timeline.seen(2).history.size(), 1u);
  timeline.read(3, std::nullopt, 20_J);  // began anew: who knows
  EXPECT_FALSE(timeline.seen(3).reading.power);
  timeline.read(4, std::nullopt, 50_J);
  EXPECT_DOUBLE_EQ(timeline.seen(4).reading.power->si(), 30);
}

TEST(MonitorState, NonFiniteValuesAreEmpty) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W);
  timeline.read(1, Watts{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_FALSE(timeline.seen(1).reading.power);
  timeline.read(2, 100_W);
  EXPECT_DOUBLE_EQ(timeline.seen(2).reading.energy->si(), 200);
  EXPECT_EQ(timeline.seen(2).history.size(), 2u);
}

TEST(MonitorState, StoresTenMinutesOfHistory) {
  DeviceTimeline timeline;
  for (int i = 0; i <= 1500; ++i) timeline.read(i + (i % 3) * 0.01, Watts{static_cast<double>(i)});
  const MonitoredDevice seen = timeline.seen(1500);
  ASSERT_EQ(seen.history.size(), 601u);
  EXPECT_EQ(seen.history.front().power, 900_W);
  EXPECT_EQ(seen.history.front().at.ns, kWallStart + 900'000'000'000);
  EXPECT_EQ(seen.history.back().power, 1500_W);
}

TEST(MonitorState, LimitsTheHistoryOfFrequentReadings) {
  DeviceTimeline timeline;
  for (int i = 0; i <= 100'000; ++i) timeline.read(i * 0.01, 50_W);
  const auto history = timeline.seen(1000).history;
  EXPECT_LE(history.size(), 668u);
  EXPECT_GE(history.size(), 600u);
  EXPECT_LE((history.back().at - history.front().at), 600_s);
  EXPECT_GE((history.back().at - history.front().at), 598_s);
}

TEST(MonitorState, AnOldReadingCountsAsNotResponding) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W, 40_J);
  timeline.read(1, 100_W, 140_J);
  EXPECT_TRUE(timeline.seen(11).reading.responding);
  EXPECT_FALSE(timeline.seen(11.5).reading.responding);
  EXPECT_FALSE(timeline.seen(11.5).reading.power);
  EXPECT_FALSE(timeline.seen(11.5).reading.energy);
  EXPECT_EQ(timeline.seen(11.5).reading.identity.name, "A");
  EXPECT_EQ(timeline.seen(600).history.size(), 2u);
  EXPECT_EQ(timeline.seen(600.5).history.size(), 1u);
  EXPECT_EQ(timeline.seen(700).history.size(), 0u);
}

TEST(MonitorState, HistoryExpiresWhileADeviceIsLost) {
  DeviceTimeline timeline;
  timeline.read(0, 100_W);
  for (int i = 1; i <= 599; ++i) timeline.lose(i);
  EXPECT_EQ(timeline.seen(599).history.size(), 1u);
  timeline.lose(601);
  EXPECT_EQ(timeline.seen(601).history.size(), 0u);
  timeline.read(602, 90_W);
  EXPECT_TRUE(timeline.seen(602).reading.responding);
  EXPECT_EQ(timeline.seen(602).reading.energy, 0_J);
}

}  // namespace
}  // namespace ergon::service
