#include "meter/update_track.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

SensorFacts sensor(Seconds period = 100_ms, Seconds window = 25_ms) {
  SensorFacts facts;
  facts.period = period;
  facts.window = window;
  facts.noise = 0.5_W;
  return facts;
}

constexpr Watts kHighest = 750_W;

TEST(UpdateTrack, TheFirstReadingIsHalfAPeriodOldOnAverage) {
  UpdateTrack track(sensor(), kHighest);
  const auto update = track.read(at(1_s), 80_W);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->at, at(0.95_s));
  EXPECT_EQ(update->bracket, 100_ms);
  EXPECT_EQ(update->power, 80_W);
  EXPECT_EQ(update->window, 25_ms);
}

TEST(UpdateTrack, AChangedValueIsAnUpdateBetweenTwoReads) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  const auto update = track.read(at(1.02_s), 81_W);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->at, at(1.01_s));
  EXPECT_NEAR(update->bracket.si(), 0.02, 1e-12);
  EXPECT_EQ(track.updates(), 2U);
}

TEST(UpdateTrack, AnEqualValueIsStaleForAPeriod) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  ASSERT_TRUE(track.read(at(1.02_s), 90_W));  // the update was at 1.01 s
  for (const Seconds time : {1.04_s, 1.08_s, 1.12_s, 1.15_s}) EXPECT_FALSE(track.read(at(time), 90_W));
  const auto overdue = track.read(at(1.165_s), 90_W);
  ASSERT_TRUE(overdue);
  EXPECT_EQ(overdue->at, at(1.11_s)) << "one period after the last update";
  EXPECT_EQ(overdue->power, 90_W);
}

TEST(UpdateTrack, AConstantValueGivesOneUpdatePerPeriod) {
  UpdateTrack track(sensor(), kHighest);
  Instant last = at(-1_s);
  for (int i = 0; i <= 1000; ++i) {
    const Instant now = at(1_s + 0.02_s * i);
    const auto update = track.read(now, 80_W);
    if (!update) continue;
    ASSERT_GT(update->at, last);
    ASSERT_LT(update->at, now);
    last = update->at;
  }
  EXPECT_NEAR(static_cast<double>(track.updates()), 200, 2);
  EXPECT_GT(last, at(20.8_s));
  EXPECT_NEAR(track.unchanged().si(), 20, 1e-9);
}

// Reads may be less frequent than the sensor's updates. The track must not fall behind while a value stays
// constant.
TEST(UpdateTrack, AConstantValueIsTrackedByInfrequentReads) {
  UpdateTrack track(sensor(), kHighest);
  std::optional<Instant> last;
  for (int i = 0; i <= 60; ++i) {
    if (const auto update = track.read(at(1_s * i), 80_W)) last = update->at;
  }
  ASSERT_TRUE(last);
  EXPECT_GT(*last, at(58_s));
}

TEST(UpdateTrack, ImplausibleReadingsAreDroppedAndCounted) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  std::uint64_t dropped = 0;
  for (const double implausible : {3e12, -1.0, nan, inf, -inf, 750.001, 4294967.295}) {
    EXPECT_FALSE(track.read(at(1.02_s), Watts{implausible})) << implausible;
    EXPECT_FALSE(track.sampled(at(1.02_s), Watts{implausible})) << implausible;
    dropped += 2;
    EXPECT_EQ(track.dropped(), dropped) << implausible;
  }
  EXPECT_EQ(track.updates(), 1U);
  EXPECT_EQ(track.unchanged(), 0_s);
}

TEST(UpdateTrack, PlausibleReadingsAreUsed) {
  UpdateTrack track(sensor(), kHighest);
  EXPECT_TRUE(track.read(at(1_s), 750_W));
  EXPECT_TRUE(track.read(at(1.02_s), 0_W));
  EXPECT_EQ(track.dropped(), 0U);
}

TEST(UpdateTrack, AnImplausibleReadingWidensTheNextBracket) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  EXPECT_FALSE(track.read(at(1.02_s), Watts{3e12}));
  const auto update = track.read(at(1.04_s), 90_W);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->at, at(1.02_s));
  EXPECT_NEAR(update->bracket.si(), 0.04, 1e-12);
}

TEST(UpdateTrack, SamplesUseTheirTimestamps) {
  UpdateTrack track(sensor(20_ms, 20_ms), kHighest);
  ASSERT_TRUE(track.sampled(at(1_s), 80_W));
  const auto update = track.sampled(at(1.02_s), 80_W);
  ASSERT_TRUE(update) << "the same value at another time is another sample";
  EXPECT_EQ(update->at, at(1.02_s));
  EXPECT_GT(update->bracket, 0_s);
  EXPECT_LT(update->bracket, 20_ms);
}

TEST(UpdateTrack, OldAndRepeatedSamplesAreIgnored) {
  UpdateTrack track(sensor(20_ms, 20_ms), kHighest);
  ASSERT_TRUE(track.sampled(at(1_s), 80_W));
  EXPECT_FALSE(track.sampled(at(1_s), 90_W));
  EXPECT_FALSE(track.sampled(at(0.98_s), 90_W));
  ASSERT_TRUE(track.sampled(at(1.02_s), 85_W));
  EXPECT_FALSE(track.sampled(at(1_s), 80_W));
  EXPECT_EQ(track.updates(), 2U);
  EXPECT_EQ(track.dropped(), 0U) << "no reading was dropped";
}

TEST(UpdateTrack, UnchangedIsTheTimeSinceTheLastChange) {
  UpdateTrack read(sensor(), kHighest), sampled(sensor(20_ms, 20_ms), kHighest);
  EXPECT_EQ(read.unchanged(), 0_s);
  for (int i = 0; i < 10; ++i) {
    (void)read.read(at(0.02_s * i), i < 4 ? 80_W : 90_W);
    (void)sampled.sampled(at(0.02_s * i), i < 4 ? 80_W : 90_W);
  }
  EXPECT_NEAR(read.unchanged().si(), 0.1, 1e-9);
  EXPECT_NEAR(sampled.unchanged().si(), 0.1, 1e-9);
}

TEST(UpdateTrack, NoiseCoversTheTimeSinceTheLastUpdate) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);                   // at 0.95 s
  const auto update = track.read(at(1.02_s), 81_W);  // at 1.01 s
  const double expected = 0.5 * 0.06;
  EXPECT_NEAR(update->noise.si(), expected * expected, 1e-12);
}

TEST(UpdateTrack, AFailedReadIsCounted) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  track.lost();
  track.lost();
  EXPECT_EQ(track.dropped(), 2U);
  EXPECT_EQ(track.updates(), 1U);
}

TEST(UpdateTrack, TheReadingAfterAFailureIsAnUpdate) {
  UpdateTrack track(sensor(), kHighest);
  (void)track.read(at(1_s), 80_W);
  (void)track.read(at(1.02_s), 90_W);
  track.lost();
  EXPECT_TRUE(track.read(at(1.06_s), 90_W));
}

}  // namespace
}  // namespace ergon::meter
