// Every reason against a measurement, by a device that gives it; and none by one that does not.

#include "meter/validity.h"

#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "meter/watched_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using device::EventReasons;
using Codes = std::vector<std::string>;

TEST(Validity, NothingSpeaksAgainstACleanRun) {
  for (const char* name :
       {"v100", "v100s", "a100-sxm-80", "rtx2080ti", "rtx6000", "a40", "h100", "h200", "p40"}) {
    WatchedTwin watched(name);
    watched.watch();
    const Measurement measured = watched.measure_work(5_s);
    EXPECT_EQ(codes(measured.reasons), Codes{}) << name << ": " << measured.reasons[0].text;
    EXPECT_TRUE(measured.valid()) << name;
  }
}

TEST(Validity, LessThanTwoUpdatesAreTooShort) {
  for (const char* name : {"v100", "a100-sxm-80", "rtx2080ti", "a40", "h200", "p40"}) {
    WatchedTwin watched(name);
    watched.watch();
    const Seconds period = sensor_catalogue().of(watched.gpu.identity().name).front().period;
    const Measurement measured = watched.measure_work(period * 1.9);
    ASSERT_TRUE(has(measured.reasons, "too_short")) << name;
    EXPECT_EQ(measured.reasons[0].text.substr(0, std::string(name).size() + 2), std::string(name) + ": ");
  }
}

// A sensor that looks a quarter of the time, and no counter to say what it missed.
TEST(Validity, WhatHappenedBetweenReadingsMayBeTooMuch) {
  device::Specification board = device::device_called("a100-sxm-80");
  board.energy_counter_period.reset();
  WatchedTwin watched(board);
  watched.watch();
  const SpanId id = watched.open();
  const auto load = watched.load();
  for (int i = 0; i < 5; ++i) {
    watched.twin.run(load);
    watched.pass(0.03_s);
    watched.twin.close_context();
    watched.pass(0.03_s);
  }
  watched.close(id);
  EXPECT_TRUE(has(watched.measurement(id).reasons, "too_short"));
}

TEST(Validity, AClockThatHeatHoldsDownIsThrottled) {
  for (const std::uint64_t reason : {EventReasons::kSoftwareHeat, EventReasons::kHardwareHeat,
                                     EventReasons::kHardwareSlowdown, EventReasons::kPowerBrake}) {
    WatchedTwin watched("v100");
    watched.watch();
    watched.gpu.faults.reasons = reason;
    const Measurement measured = watched.measure_work(3_s);
    ASSERT_EQ(codes(measured.reasons), Codes{"throttled"});
    EXPECT_NE(measured.reasons[0].text.find(EventReasons(reason).names()[0]), std::string::npos);
  }
}

TEST(Validity, WhatTheUserAskedForIsNoThrottling) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.reasons =
      EventReasons::kIdle | EventReasons::kApplicationClocks | EventReasons::kSyncBoost;
  EXPECT_EQ(codes(watched.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, AtItsUsualPowerLimitABoardIsInItsNormalState) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.reasons = EventReasons::kPowerCap;
  const Measurement measured = watched.measure_work(3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_TRUE(has(measured.notes, "power_limit"));
}

TEST(Validity, AtALoweredPowerLimitItIsHeldDown) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.reasons = EventReasons::kPowerCap;
  watched.gpu.faults.limit = 150_W;
  const Measurement measured = watched.measure_work(3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{"throttled"});
  EXPECT_FALSE(has(measured.notes, "power_limit"));
}

TEST(Validity, ALoweredLimitThatHoldsNothingDownIsFine) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.limit = 240_W;
  EXPECT_EQ(codes(watched.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, ATwinHeldDownByItsOwnLimitIsThrottled) {
  WatchedTwin watched("v100");
  ASSERT_TRUE(watched.twin.set_limit(120_W));
  watched.watch();
  EXPECT_TRUE(has(watched.measure_work(3_s).reasons, "throttled"));
}

TEST(Validity, WhatWasBeforeTheWindowIsNotHeldAgainstIt) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.reasons = EventReasons::kHardwareHeat;
  watched.gpu.faults.processes = {{1, {}}};
  watched.pass(3_s);
  watched.gpu.faults = {};
  EXPECT_EQ(codes(watched.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, NorWhatCameBehindIt) {
  WatchedTwin watched("a40");  // whose windows are settled long after they end
  watched.watch();
  const SpanId id = watched.open();
  watched.twin.run(watched.load());
  watched.pass(4_s);
  watched.close(id);
  watched.gpu.faults.reasons = EventReasons::kHardwareHeat;
  watched.gpu.faults.processes = {{1, {}}};
  EXPECT_EQ(codes(watched.measurement(id).reasons), Codes{});
}

TEST(Validity, AnotherProcessOnTheDeviceIsNamed) {
  WatchedTwin watched("v100");
  watched.gpu.faults.processes = {{::getpid(), {}}, {1, {}}};
  watched.watch();
  const Measurement measured = watched.measure_work(3_s);
  ASSERT_EQ(codes(measured.reasons), Codes{"other_process"});
  EXPECT_NE(measured.reasons[0].text.find("process 1 "), std::string::npos);
}

TEST(Validity, ThisProcessIsNoStranger) {
  WatchedTwin watched("v100");
  watched.gpu.faults.processes = {{::getpid(), {}}};
  watched.watch();
  EXPECT_EQ(codes(watched.measure_work(3_s).reasons), Codes{});
}

constexpr std::int64_t kNobody = 2'000'000'000;  // more than any machine counts to

TEST(Validity, AProcessThatNobodyCanSeeIsAStrangerIfItStays) {
  WatchedTwin watched("v100");
  watched.gpu.faults.processes = {{kNobody, {}}};
  watched.watch();
  EXPECT_EQ(codes(watched.measure_work(3_s).reasons), Codes{"other_process"});
}

TEST(Validity, AProcessThatEndsIsForgiven) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.gpu.faults.processes = {{kNobody, {}}};
  watched.pass(0.3_s);  // one look
  watched.gpu.faults.processes = {};
  watched.pass(3_s);
  watched.close(id);
  EXPECT_EQ(codes(watched.measurement(id).reasons), Codes{});
}

// A short window is a measurement like others: what was around when it began is around in it.
TEST(Validity, AShortWindowHasSurroundingsToo) {
  WatchedTwin watched("v100");
  watched.gpu.faults.processes = {{1, {}}};
  watched.gpu.faults.reasons = EventReasons::kHardwareHeat;
  watched.watch();
  watched.twin.run(watched.load());
  watched.pass(1_s);
  for (int i = 0; i < 10; ++i) {
    const SpanId id = watched.open();
    watched.pass(0.06_s);
    watched.close(id);
    const Measurement measured = watched.measurement(id);
    EXPECT_TRUE(has(measured.reasons, "other_process"));
    EXPECT_TRUE(has(measured.reasons, "throttled"));
  }
}

TEST(Validity, ManyAbsurdReadingsAreTold) {
  for (const char* name : {"v100", "a100-sxm-80", "h200"}) {
    WatchedTwin watched(name);
    watched.watch();
    watched.gpu.faults.absurd_every = 5;
    const Joules before = watched.twin.true_energy();
    const Measurement measured = watched.measure_work(5_s);
    EXPECT_TRUE(has(measured.reasons, "samples_lost")) << name;
    const Joules truth = watched.twin.true_energy() - before;
    EXPECT_NEAR(measured.energy.si(), truth.si(), 0.2 * truth.si()) << "and none of them is in the energy";
    EXPECT_LT(measured.peak, 1000_W);
  }
}

TEST(Validity, ManyReadsThatFailAreTold) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.failing_every = 12;
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{"samples_lost"});
  EXPECT_NEAR(static_cast<double>(measured.sources[0].report.dropped), 500 / 12.0, 5);
}

TEST(Validity, AFewReadsThatFailAreNot) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.failing_every = 100;
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_GT(measured.sources[0].report.dropped, 0U);
}

// A twentieth of the readings may be lost: of those that were made, not of the fewer that were new.
TEST(Validity, AFewReadsThatFailAreNotOnASlowSensorEither) {
  WatchedTwin watched("a100-sxm-80");
  watched.watch();
  watched.gpu.faults.failing_every = 40;
  EXPECT_EQ(codes(watched.measure_work(10_s).reasons), Codes{});
}

TEST(Validity, ReadsThatFailedBeforeTheWindowDoNotCount) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.failing_every = 2;
  watched.pass(5_s);
  watched.gpu.faults = {};
  const Measurement measured = watched.measure_work(3_s);
  EXPECT_EQ(measured.sources[0].report.dropped, 0U);
  EXPECT_TRUE(measured.valid());
}

TEST(Validity, AReadingThatDoesNotChangeIsStuck) {
  for (const char* name : {"v100", "a100-sxm-80", "h200"}) {
    WatchedTwin watched(name);
    watched.watch();
    watched.gpu.faults.stuck = 100_W;
    EXPECT_TRUE(has(watched.measure_work(5_s).reasons, "sensor_stuck")) << name;
  }
}

TEST(Validity, OneThatStaysForASecondIsNot) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.gpu.faults.stuck = 100_W;
  watched.pass(1_s);
  watched.gpu.faults = {};
  watched.pass(3_s);
  watched.close(id);
  EXPECT_FALSE(has(watched.measurement(id).reasons, "sensor_stuck"));
}

TEST(Validity, WhatASensorGetsWrongIsNoted) {
  WatchedTwin low("a100-sxm-80"), right("v100");
  low.watch();
  right.watch();
  const Measurement corrected = low.measure_work(3_s);
  ASSERT_EQ(codes(corrected.notes), Codes{"gain_corrected"});
  EXPECT_NE(corrected.notes[0].text.find("4.6 % low"), std::string::npos) << corrected.notes[0].text;
  EXPECT_EQ(codes(right.measure_work(3_s).notes), Codes{});
}

TEST(Validity, ASensorThatNobodyKnowsIsNoted) {
  WatchedTwin watched("rtx2080ti");
  watched.gpu.changed_identity().name = "Nobody's GPU";
  watched.watch();
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_TRUE(has(measured.notes, "unknown_sensor"));
  EXPECT_TRUE(measured.valid()) << "it speaks against nothing, but the interval is wide";
  EXPECT_GT(measured.uncertainty, measured.energy * 0.09);
}

}  // namespace
}  // namespace ergon::meter
