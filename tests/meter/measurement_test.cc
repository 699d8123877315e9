#include "meter/measurement.h"

#include <cmath>

#include <gtest/gtest.h>

#include "meter/at.h"
#include "meter/recorded_twin.h"
#include "meter/validity.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

SensorFacts an_a100s() {
  SensorFacts facts;
  facts.period = 100_ms;
  facts.window = 25_ms;
  facts.gain = 0.95;
  facts.gain_spread = 0.019;
  facts.offset = 2_W;
  facts.offset_spread = 1_W;
  return facts;
}

// Ten seconds at this power, as read by an A100's sensor.
SpanReport ten_seconds(Joules read, double variance = 0) {
  SpanReport report;
  report.device.id = "gpu0";
  report.sensor = an_a100s();
  report.begin = at(5_s);
  report.end = at(15_s);
  report.energy = {read, JoulesSquared{variance}};
  report.highest = 300_W;
  report.samples = 100;
  return report;
}

TEST(Corrected, AppliesOffsetAndGain) {
  // True power 200 W reads 0.95 * 200 + 2 = 192 W.
  const DeviceMeasurement source = corrected(ten_seconds(1920_J, 361));
  EXPECT_NEAR(source.energy.si(), 2000, 1e-9);
  EXPECT_NEAR(source.mean.si(), 200, 1e-9);
  EXPECT_NEAR(source.peak.si(), 298 / 0.95, 1e-9);
  EXPECT_NEAR(source.statistical.si(), 19 / 0.95, 1e-9);
  // A gain spread of 2 %, and an offset spread of 1 W for ten seconds.
  EXPECT_NEAR(source.systematic.si(), std::hypot(2000 * 0.02, 10 / 0.95), 1e-9);
}

TEST(Corrected, AMeanIsNeverAboveThePeak) {
  SpanReport report = ten_seconds(1920_J);
  report.highest = 100_W;
  EXPECT_GE(corrected(report).peak, corrected(report).mean);
}

TEST(Corrected, ACounterAloneIsNotCorrected) {
  SpanReport report = ten_seconds(1000_J, 4);
  report.sensor.reset();
  const DeviceMeasurement source = corrected(report);
  EXPECT_DOUBLE_EQ(source.energy.si(), 1000);
  EXPECT_DOUBLE_EQ(source.statistical.si(), 2);
  EXPECT_GT(source.systematic, 10_J) << "counters of processors are models, good to some percent";
  EXPECT_LT(source.systematic, 100_J);
}

TEST(Corrected, DiscrepancyIsRelativeToTheCounter) {
  SpanReport report = ten_seconds(1920_J);
  EXPECT_FALSE(corrected(report).counter_discrepancy);
  report.integrated = 1900_J;
  report.counted = 2000_J;
  EXPECT_NEAR(corrected(report).counter_discrepancy.value(), -0.05, 1e-12);
  report.counted = 0_J;
  EXPECT_FALSE(corrected(report).counter_discrepancy) << "no discrepancy without a counter value";
  report.counted = 2000_J;
  report.integrated = 0_J;
  EXPECT_FALSE(corrected(report).counter_discrepancy) << "no discrepancy without readings";
}

TEST(Corrected, AnEmptyWindowHasNoMean) {
  SpanReport report = ten_seconds(0_J);
  report.end = report.begin;
  const DeviceMeasurement source = corrected(report);
  EXPECT_EQ(source.energy, 0_J);
  EXPECT_EQ(source.mean, 0_W);
}

TEST(AboveIdle, SubtractsIdlePowerAndTheOffsetError) {
  DeviceMeasurement work, idle;
  work.report = ten_seconds(0_J);
  work.energy = 2000_J, work.mean = 200_W, work.peak = 300_W;
  work.statistical = 6_J, work.systematic = 50_J;
  idle.report = ten_seconds(0_J);
  idle.report.end = idle.report.begin + 5_s;
  idle.energy = 250_J, idle.mean = 50_W;
  idle.statistical = 4_J, idle.systematic = 7_J;
  const DeviceMeasurement net = above_idle(work, idle);
  EXPECT_NEAR(net.energy.si(), 1500, 1e-9);
  EXPECT_NEAR(net.mean.si(), 150, 1e-9);
  EXPECT_NEAR(net.statistical.si(), std::hypot(6, 8), 1e-9) << "4 J in half the time";
  EXPECT_NEAR(net.systematic.si(), 1500 * 0.02, 1e-9) << "of the gain alone";
}

TEST(AboveIdle, ThePeakIsAboveIdleToo) {
  DeviceMeasurement work, idle;
  work.report = idle.report = ten_seconds(0_J);
  work.energy = 2000_J, work.mean = 200_W, work.peak = 300_W;
  idle.energy = 500_J, idle.mean = 50_W;
  EXPECT_NEAR(above_idle(work, idle).peak.si(), 250, 1e-9);
}

TEST(AboveIdle, NegativeNetEnergyHasAnUncertainty) {
  DeviceMeasurement work, idle;
  work.report = idle.report = ten_seconds(0_J);
  work.energy = 480_J, work.mean = 48_W, work.statistical = 3_J;
  idle.energy = 500_J, idle.mean = 50_W, idle.statistical = 4_J;
  const DeviceMeasurement net = above_idle(work, idle);
  EXPECT_NEAR(net.energy.si(), -20, 1e-9);
  EXPECT_NEAR(net.statistical.si(), 5, 1e-9);
  EXPECT_GE(net.systematic, 0_J);
}

TEST(Combined, StatisticsAddInQuadratureAndSystematicErrorsLinearly) {
  DeviceMeasurement one, other;
  one.report = other.report = ten_seconds(0_J);
  other.report.end = other.report.begin + 8_s;
  one.energy = 1000_J, one.mean = 100_W, one.peak = 150_W;
  other.energy = 3000_J, other.mean = 375_W, other.peak = 400_W;
  one.statistical = 3_J, other.statistical = 4_J;
  one.systematic = 20_J, other.systematic = 60_J;
  const Measurement all = combined({one, other});
  EXPECT_EQ(all.energy, 4000_J);
  EXPECT_EQ(all.mean, 475_W);
  EXPECT_EQ(all.peak, 550_W);
  EXPECT_EQ(all.duration, 10_s);
  EXPECT_NEAR(all.statistical.si(), 1.96 * 5, 1e-9);
  EXPECT_NEAR(all.uncertainty.si(), 1.96 * std::hypot(5, 80), 1e-9);
  EXPECT_EQ(all.sources.size(), 2U);
  EXPECT_FALSE(all.simulated);
}

TEST(Combined, OneTwinMakesItSimulatedAndOneReasonMakesItInvalid) {
  SpanReport sound = ten_seconds(1920_J), twin = ten_seconds(1920_J), bad = ten_seconds(1920_J);
  EXPECT_TRUE(measured({sound}).valid());
  EXPECT_FALSE(measured({sound}).simulated);
  twin.simulated = true;
  EXPECT_TRUE(measured({sound, twin}).simulated);
  bad.device.id = "gpu7";
  bad.device_state.other_processes = {4711};
  const Measurement all = measured({sound, bad});
  EXPECT_FALSE(all.valid());
  ASSERT_EQ(codes(all.reasons), std::vector<std::string>{"other_process"});
  EXPECT_NE(all.reasons[0].text.find("gpu7"), std::string::npos) << "the reason names the device";
  EXPECT_NE(all.reasons[0].text.find("4711"), std::string::npos);
}

// Sensor and counter of an A100 read 5 % low.
TEST(Measured, AnA100IsNotFivePercentLow) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    RecordedTwin recorded("a100-sxm-80", seed);
    recorded.watch();
    const SpanId id = recorded.open();
    const Joules before = recorded.twin.true_energy();
    recorded.twin.run(recorded.load());
    recorded.pass(10_s);
    recorded.twin.close_context();
    const Joules truth = recorded.twin.true_energy() - before;
    recorded.close(id);
    const SpanReport report = recorded.report(id);
    const Joules as_read = truth * 0.954 - 1.2_W * 10_s;
    EXPECT_NEAR(report.integrated.value().si(), as_read.si(), 0.01 * as_read.si());
    EXPECT_NEAR(report.counted.value().si(), as_read.si(), 0.01 * as_read.si());
    const Measurement measured = meter::measured({report});
    EXPECT_NEAR(measured.energy.si(), truth.si(), 0.01 * truth.si());
    EXPECT_LE(std::fabs((measured.energy - truth).si()), measured.uncertainty.si());
    EXPECT_NEAR((measured.uncertainty / measured.energy).si(), 1.96 * 0.015 / 0.954, 0.01);
    EXPECT_LT(measured.statistical, measured.uncertainty);
  }
}

TEST(Measured, WorkAboveIdleIsTheAddedEnergy) {
  RecordedTwin recorded("rtx2080ti");  // offset 5.7 W
  recorded.watch();
  const SpanId idling = recorded.open();
  const Joules at_first = recorded.twin.true_energy();
  recorded.pass(5_s);
  const Watts idle = (recorded.twin.true_energy() - at_first) / 5_s;
  recorded.close(idling);
  const SpanId working = recorded.open();
  const Joules before = recorded.twin.true_energy();
  recorded.twin.run(recorded.load());
  recorded.pass(8_s);
  recorded.twin.close_context();
  recorded.close(working);
  const Joules truth = recorded.twin.true_energy() - before - idle * 8_s;
  const DeviceMeasurement net =
      above_idle(corrected(recorded.report(working)), corrected(recorded.report(idling)));
  EXPECT_NEAR(net.energy.si(), truth.si(), 0.01 * truth.si());
  EXPECT_LT(net.systematic, corrected(net.report).systematic);
}

}  // namespace
}  // namespace ergon::meter
