// Every reason for invalidity, with a device that causes it.

#include "meter/validity.h"

#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using device::EventReasons;
using Codes = std::vector<std::string>;

TEST(Validity, ACleanRunIsValid) {
  for (const char* name :
       {"v100", "v100s", "a100-sxm-80", "rtx2080ti", "rtx6000", "a40", "h100", "h200", "p40"}) {
    RecordedTwin recorded(name);
    recorded.watch();
    const Measurement measured = recorded.measure_work(5_s);
    EXPECT_EQ(codes(measured.reasons), Codes{}) << name << ": " << measured.reasons[0].text;
    EXPECT_TRUE(measured.valid()) << name;
  }
}

TEST(Validity, FewerThanTwoUpdatesAreTooShort) {
  for (const char* name : {"v100", "a100-sxm-80", "rtx2080ti", "a40", "h200", "p40"}) {
    RecordedTwin recorded(name);
    recorded.watch();
    const Seconds period = sensor_catalog().of(recorded.gpu.identity().name).front().period;
    const Measurement measured = recorded.measure_work(period * 1.9);
    ASSERT_TRUE(has(measured.reasons, "too_short")) << name;
    EXPECT_EQ(measured.reasons[0].text.substr(0, std::string(name).size() + 2), std::string(name) + ": ");
  }
}

// A sensor that samples a quarter of the time, without a counter.
TEST(Validity, UnsampledTimeMakesAWindowTooShort) {
  device::Specification board = device::device_called("a100-sxm-80");
  board.energy_counter_period.reset();
  RecordedTwin recorded(board);
  recorded.watch();
  const SpanId id = recorded.open();
  const auto load = recorded.load();
  for (int i = 0; i < 5; ++i) {
    recorded.twin.run(load);
    recorded.pass(0.03_s);
    recorded.twin.close_context();
    recorded.pass(0.03_s);
  }
  recorded.close(id);
  EXPECT_TRUE(has(recorded.measurement(id).reasons, "too_short"));
}

TEST(Validity, ThermalSlowdownIsThrottling) {
  for (const std::uint64_t reason : {EventReasons::kSoftwareHeat, EventReasons::kHardwareHeat,
                                     EventReasons::kHardwareSlowdown, EventReasons::kPowerBrake}) {
    RecordedTwin recorded("v100");
    recorded.watch();
    recorded.gpu.faults.reasons = reason;
    const Measurement measured = recorded.measure_work(3_s);
    ASSERT_EQ(codes(measured.reasons), Codes{"throttled"});
    EXPECT_NE(measured.reasons[0].text.find(EventReasons(reason).names()[0]), std::string::npos);
  }
}

TEST(Validity, ARequestedClockIsNotThrottling) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.reasons =
      EventReasons::kIdle | EventReasons::kApplicationClocks | EventReasons::kSyncBoost;
  EXPECT_EQ(codes(recorded.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, TheDefaultPowerLimitIsNotThrottling) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.reasons = EventReasons::kPowerCap;
  const Measurement measured = recorded.measure_work(3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_TRUE(has(measured.notes, "power_limit"));
}

TEST(Validity, ALoweredPowerLimitIsThrottling) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.reasons = EventReasons::kPowerCap;
  recorded.gpu.faults.limit = 150_W;
  const Measurement measured = recorded.measure_work(3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{"throttled"});
  EXPECT_FALSE(has(measured.notes, "power_limit"));
}

TEST(Validity, ALoweredLimitThatIsNotReachedIsValid) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.limit = 240_W;
  EXPECT_EQ(codes(recorded.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, ATwinAtALoweredLimitIsThrottled) {
  RecordedTwin recorded("v100");
  ASSERT_TRUE(recorded.twin.set_limit(120_W));
  recorded.watch();
  EXPECT_TRUE(has(recorded.measure_work(3_s).reasons, "throttled"));
}

TEST(Validity, EventsBeforeTheWindowDoNotCount) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.reasons = EventReasons::kHardwareHeat;
  recorded.gpu.faults.processes = {{1, {}}};
  recorded.pass(3_s);
  recorded.gpu.faults = {};
  EXPECT_EQ(codes(recorded.measure_work(3_s).reasons), Codes{});
}

TEST(Validity, EventsAfterTheWindowDoNotCount) {
  RecordedTwin recorded("a40");  // windows become final long after their end
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.twin.run(recorded.load());
  recorded.pass(4_s);
  recorded.close(id);
  recorded.gpu.faults.reasons = EventReasons::kHardwareHeat;
  recorded.gpu.faults.processes = {{1, {}}};
  EXPECT_EQ(codes(recorded.measurement(id).reasons), Codes{});
}

TEST(Validity, AnotherProcessOnTheDeviceIsNamed) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.processes = {{::getpid(), {}}, {1, {}}};
  recorded.watch();
  const Measurement measured = recorded.measure_work(3_s);
  ASSERT_EQ(codes(measured.reasons), Codes{"other_process"});
  EXPECT_NE(measured.reasons[0].text.find("process 1"), std::string::npos);
}

TEST(Validity, ThisProcessIsNotAnotherProcess) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.processes = {{::getpid(), {}}};
  recorded.watch();
  EXPECT_EQ(codes(recorded.measure_work(3_s).reasons), Codes{});
}

constexpr std::int64_t kNobody = 2'000'000'000;  // above the maximum PID

TEST(Validity, AHiddenProcessCountsIfItStays) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.processes = {{kNobody, {}}};
  recorded.watch();
  EXPECT_EQ(codes(recorded.measure_work(3_s).reasons), Codes{"other_process"});
}

TEST(Validity, AProcessThatHasEndedDoesNotCount) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.gpu.faults.processes = {{kNobody, {}}};
  recorded.pass(0.3_s);  // one check
  recorded.gpu.faults.processes = {};
  recorded.pass(3_s);
  recorded.close(id);
  EXPECT_EQ(codes(recorded.measurement(id).reasons), Codes{});
}

// A window without a check of its own uses the last device state.
TEST(Validity, AShortWindowHasADeviceState) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.processes = {{1, {}}};
  recorded.gpu.faults.reasons = EventReasons::kHardwareHeat;
  recorded.watch();
  recorded.twin.run(recorded.load());
  recorded.pass(1_s);
  for (int i = 0; i < 10; ++i) {
    const SpanId id = recorded.open();
    recorded.pass(0.06_s);
    recorded.close(id);
    const Measurement measured = recorded.measurement(id);
    EXPECT_TRUE(has(measured.reasons, "other_process"));
    EXPECT_TRUE(has(measured.reasons, "throttled"));
  }
}

TEST(Validity, ManyImplausibleReadingsAreReported) {
  for (const char* name : {"v100", "a100-sxm-80", "h200"}) {
    RecordedTwin recorded(name);
    recorded.watch();
    recorded.gpu.faults.implausible_every = 5;
    const Joules before = recorded.twin.true_energy();
    const Measurement measured = recorded.measure_work(5_s);
    EXPECT_TRUE(has(measured.reasons, "samples_lost")) << name;
    const Joules truth = recorded.twin.true_energy() - before;
    EXPECT_NEAR(measured.energy.si(), truth.si(), 0.2 * truth.si())
        << "dropped readings do not affect the energy";
    EXPECT_LT(measured.peak, 1000_W);
  }
}

TEST(Validity, ManyFailedReadsAreReported) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.failing_every = 12;
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{"samples_lost"});
  EXPECT_NEAR(static_cast<double>(measured.sources[0].report.dropped), 500 / 12.0, 5);
}

TEST(Validity, AFewFailedReadsAreValid) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.failing_every = 100;
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_GT(measured.sources[0].report.dropped, 0U);
}

// 5 % of the reads may fail: of all reads, not of the fewer updates.
TEST(Validity, AFewFailedReadsAreValidOnASlowSensor) {
  RecordedTwin recorded("a100-sxm-80");
  recorded.watch();
  recorded.gpu.faults.failing_every = 40;
  EXPECT_EQ(codes(recorded.measure_work(10_s).reasons), Codes{});
}

TEST(Validity, FailedReadsBeforeTheWindowDoNotCount) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.failing_every = 2;
  recorded.pass(5_s);
  recorded.gpu.faults = {};
  const Measurement measured = recorded.measure_work(3_s);
  EXPECT_EQ(measured.sources[0].report.dropped, 0U);
  EXPECT_TRUE(measured.valid());
}

TEST(Validity, AConstantReadingIsStuck) {
  for (const char* name : {"v100", "a100-sxm-80", "h200"}) {
    RecordedTwin recorded(name);
    recorded.watch();
    recorded.gpu.faults.stuck = 100_W;
    EXPECT_TRUE(has(recorded.measure_work(5_s).reasons, "sensor_stuck")) << name;
  }
}

TEST(Validity, AReadingConstantForASecondIsNotStuck) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.gpu.faults.stuck = 100_W;
  recorded.pass(1_s);
  recorded.gpu.faults = {};
  recorded.pass(3_s);
  recorded.close(id);
  EXPECT_FALSE(has(recorded.measurement(id).reasons, "sensor_stuck"));
}

TEST(Validity, AGainCorrectionIsNoted) {
  RecordedTwin low("a100-sxm-80"), right("v100");
  low.watch();
  right.watch();
  const Measurement corrected = low.measure_work(3_s);
  ASSERT_EQ(codes(corrected.notes), Codes{"gain_corrected"});
  EXPECT_NE(corrected.notes[0].text.find("read 0.954 x power - 1.2 W; corrected, the energy by +"),
            std::string::npos)
      << corrected.notes[0].text;
  EXPECT_EQ(codes(right.measure_work(3_s).notes), Codes{});
}

// Ten seconds at a power that reads `read`, by a sensor with this gain and offset.
std::vector<Reason> notes_at(Watts read, double gain, Watts offset) {
  SpanReport report;
  report.device.id = "gpu0";
  report.sensor.emplace();
  report.sensor->gain = gain;
  report.sensor->offset = offset;
  report.begin = Instant{} + 5_s;
  report.end = Instant{} + 15_s;
  report.energy.energy = read * 10_s;
  report.samples = 100;
  return notes_on(corrected(report));
}

// An RTX 2080 Ti near idle: the offset, not the gain, determines the correction.
TEST(Validity, TheCorrectionNoteHasGainOffsetAndEffect) {
  const auto notes = notes_at(11.69_W, 0.966, -5.7_W);
  ASSERT_EQ(codes(notes), Codes{"gain_corrected"});
  EXPECT_EQ(
      notes[0].text,
      "gpu0: power sensors of this product read 0.966 x power - 5.7 W; corrected, the energy by +54.0 %");
  // At low power an offset outweighs a gain of the other sign.
  const auto lower = notes_at(20_W, 0.992, 0.87_W);
  ASSERT_EQ(codes(lower), Codes{"gain_corrected"});
  EXPECT_NE(lower[0].text.find("0.992 x power + 0.87 W; corrected, the energy by -3.6 %"), std::string::npos)
      << lower[0].text;
}

TEST(Validity, AnOffsetIsNotedWhereItMatters) {
  EXPECT_EQ(codes(notes_at(20_W, 1, -5_W)), Codes{"gain_corrected"});
  EXPECT_EQ(codes(notes_at(800_W, 1, -5_W)), Codes{});
  EXPECT_EQ(codes(notes_at(20_W, 1, 0_W)), Codes{});
}

TEST(Validity, AnUnlistedSensorIsNoted) {
  RecordedTwin recorded("rtx2080ti");
  recorded.gpu.changed_identity().name = "Nobody's GPU";
  recorded.watch();
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_TRUE(has(measured.notes, "unknown_sensor"));
  EXPECT_TRUE(measured.valid()) << "valid, with a wide interval";
  EXPECT_GT(measured.uncertainty, measured.energy * 0.09);
}

}  // namespace
}  // namespace ergon::meter
