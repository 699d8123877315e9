// Windows on a twin in simulated time: nested, overlapping and consecutive windows are additive.

#include "meter/recorder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

void expect_same(Joules parts, Joules whole) {
  EXPECT_LE(std::fabs((parts - whole).si()), 1e-9 * std::fabs(whole.si()))
      << parts.si() << " J of parts, " << whole.si() << " J of the whole";
}

class EverySensor : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Twins, EverySensor,
                         testing::Values("v100", "a100_sxm_80", "rtx2080ti", "a40", "h200", "p40"),
                         [](const auto& each) { return std::string(each.param); });

std::string twin_called(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

TEST_P(EverySensor, BackToBackWindowsAddUp) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  Random random(1);
  const auto load = recorded.load();
  const SpanId whole = recorded.open();
  std::vector<SpanId> parts;
  for (int i = 0; i < 40; ++i) {
    parts.push_back(recorded.open());
    if (random.below(2) == 0) recorded.twin.run(load);
    recorded.pass(Seconds{log_uniform(random, 0.0001, 0.5)});
    if (random.below(2) == 0) recorded.twin.close_context();
    recorded.pass(Seconds{log_uniform(random, 0.0001, 0.2)});
    recorded.close(parts.back());
  }
  recorded.close(whole);
  Joules sum;
  for (const SpanId part : parts) sum += recorded.report(part).energy.energy;
  expect_same(sum, recorded.report(whole).energy.energy);
}

// In any order of opening, closing and reporting: E(a, c) = E(a, b) + E(b, c).
TEST_P(EverySensor, OverlappingWindowsAddUp) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  Random random(2);
  const auto load = recorded.load();
  for (int round = 0; round < 5; ++round) {
    // a |----------| c, a |---| b, b |------| c, b |----------| d, a |--------------| d, c |---| d
    const auto work = [&] {
      if (random.below(2) == 0) recorded.twin.run(load);
      recorded.pass(Seconds{log_uniform(random, 0.01, 1)});
      if (random.below(2) == 0) recorded.twin.close_context();
    };
    const SpanId ac = recorded.open(), ab = recorded.open(), ad = recorded.open();
    work();
    recorded.close(ab);
    const SpanId bc = recorded.open(), bd = recorded.open();
    work();
    recorded.close(ac);
    recorded.close(bc);
    const SpanId cd = recorded.open();
    const Joules e_ab = recorded.report(ab).energy.energy;  // reported while others are open
    work();
    recorded.close(cd);
    recorded.close(bd);
    recorded.close(ad);
    const Joules e_bd = recorded.report(bd).energy.energy, e_ad = recorded.report(ad).energy.energy;
    const Joules e_ac = recorded.report(ac).energy.energy, e_cd = recorded.report(cd).energy.energy;
    const Joules e_bc = recorded.report(bc).energy.energy;
    expect_same(e_ab + e_bc, e_ac);
    expect_same(e_ab + e_bd, e_ad);
    expect_same(e_ac + e_cd, e_ad);
    expect_same(e_bc + e_cd, e_bd);
  }
}

TEST_P(EverySensor, NestedWindowsHaveNoMoreEnergyThanTheirParents) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  const auto load = recorded.load();
  std::vector<SpanId> nested;
  for (int i = 0; i < 10; ++i) {
    nested.push_back(recorded.open());
    if (i == 4) recorded.twin.run(load);
    recorded.pass(0.11_s);
  }
  std::vector<Joules> energies;
  for (int i = 9; i >= 0; --i) {
    recorded.close(nested[static_cast<std::size_t>(i)]);
    recorded.pass(0.07_s);
  }
  for (const SpanId id : nested) energies.push_back(recorded.report(id).energy.energy);
  EXPECT_TRUE(std::is_sorted(energies.rbegin(), energies.rend()));
  EXPECT_GT(energies.back(), 0_J);
}

TEST_P(EverySensor, TheReportIsNearTheTruth) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  const Joules before = recorded.twin.true_energy();
  const Measurement measured = recorded.measure_work(5_s);
  const Joules truth = recorded.twin.true_energy() - before;  // including idle time afterwards
  EXPECT_NEAR(measured.energy.si(), truth.si(), 0.15 * truth.si());
  EXPECT_EQ(measured.duration, 5_s);
  EXPECT_GT(measured.uncertainty, 0_J);
  EXPECT_TRUE(measured.simulated);
}

TEST_P(EverySensor, ReportsOnlyFinalWindows) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(1_s);
  recorded.close(id);
  EXPECT_FALSE(recorded.recorder->report(id)) << "no reading since";
  EXPECT_FALSE(recorded.recorder->report(id)) << "repeated calls have no effect";
  EXPECT_GT(recorded.report(id).energy.energy, 0_J);
}

TEST_P(EverySensor, AnEmptyWindowHasNoEnergy) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  recorded.twin.run(recorded.load());
  recorded.pass(0.5_s);
  const SpanId id = recorded.open();
  recorded.close(id);
  recorded.pass(0.5_s);
  const SpanReport report = recorded.report(id);
  EXPECT_FALSE(report.failure);
  EXPECT_EQ(report.begin, report.end);
  EXPECT_NEAR(report.energy.energy.si(), 0, 1e-9);
  EXPECT_TRUE(has(measured({report}).reasons, "too_short"));
}

TEST_P(EverySensor, ForgettingAWindowDoesNotAffectOthers) {
  RecordedTwin one(twin_called(GetParam()), 7), other(twin_called(GetParam()), 7);
  Joules energies[2];
  for (const bool forgets : {false, true}) {
    RecordedTwin& recorded = forgets ? other : one;
    recorded.watch();
    const SpanId kept = recorded.open(), second = recorded.open();
    recorded.twin.run(recorded.load());
    recorded.pass(1_s);
    if (forgets) recorded.recorder->forget(second);
    recorded.pass(1_s);
    if (!forgets) recorded.close(second);
    recorded.close(kept);
    energies[forgets ? 1 : 0] = recorded.report(kept).energy.energy;
  }
  expect_same(energies[1], energies[0]);
}

// A window is final after the next sensor update and the next counter step, long before the next periodic
// counter probe.
TEST_P(EverySensor, AWindowIsFinalWithinSomeSeconds) {
  RecordedTwin recorded(twin_called(GetParam()));
  recorded.watch();
  Random random(3);
  Seconds longest;
  for (int i = 0; i < 60; ++i) {
    recorded.pass(Seconds{log_uniform(random, 0.001, 0.5)});
    const SpanId id = recorded.open();
    recorded.pass(Seconds{log_uniform(random, 0.01, 0.5)});
    recorded.close(id);
    const Instant closed = recorded.clock.now();
    (void)recorded.report(id);
    longest = std::max(longest, recorded.clock.now() - closed);
  }
  EXPECT_LT(longest, 3_s);
}

TEST(Recorder, AWindowBeforeTheFirstReadingIsAnError) {
  RecordedTwin recorded("v100");
  recorded.recorder = Recorder::create(recorded.gpu, recorded.clock, {}).value();
  EXPECT_FALSE(recorded.recorder->ready());
  const SpanId early = recorded.open();
  recorded.twin.advance(1_s);
  recorded.pass(3_s);
  EXPECT_TRUE(recorded.recorder->ready());
  const SpanId later = recorded.open();
  recorded.pass(1_s);
  recorded.close(early);
  recorded.close(later);
  const SpanReport known = recorded.report(later), unknown = recorded.report(early);
  EXPECT_FALSE(known.failure);
  EXPECT_TRUE(known.known());
  EXPECT_TRUE(unknown.failure);
  EXPECT_FALSE(unknown.known());
}

TEST(Recorder, HasIdentityAndPeriod) {
  RecordedTwin recorded("a40");
  recorded.watch();
  EXPECT_EQ(recorded.recorder->identity().id, "a40");
  EXPECT_EQ(recorded.recorder->field_name(), "usage");
  EXPECT_TRUE(recorded.recorder->simulated());
  EXPECT_FALSE(recorded.recorder->failure());
  EXPECT_EQ(recorded.recorder->period(), 20_ms);
}

TEST(Recorder, StoresReadingsOnRequest) {
  RecordedTwin recorded("v100");
  recorded.watch({.keep_readings = true});
  (void)recorded.recorder->take_trace();
  const SpanId id = recorded.open();
  recorded.pass(2_s);
  recorded.close(id);
  const SpanReport report = recorded.report(id);
  EXPECT_NEAR(static_cast<double>(report.readings.size()), 100, 5);
  EXPECT_EQ(report.readings.size(), report.samples);
  const auto trace = recorded.recorder->take_trace();
  EXPECT_GE(trace.size(), report.readings.size());
  EXPECT_TRUE(std::is_sorted(trace.begin(), trace.end(),
                             [](const TracePoint& a, const TracePoint& b) { return a.at < b.at; }));
  EXPECT_TRUE(recorded.recorder->take_trace().empty()) << "take_trace() clears the trace";
}

TEST(Recorder, StoresNoReadingsByDefault) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(2_s);
  recorded.close(id);
  const SpanReport report = recorded.report(id);
  EXPECT_TRUE(report.readings.empty());
  EXPECT_NEAR(static_cast<double>(report.samples), 100, 5);
  EXPECT_TRUE(recorded.recorder->take_trace().empty());
}

TEST(Recorder, RecordsTheDeviceState) {
  RecordedTwin recorded("a100-sxm-80");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(1_s);
  recorded.twin.run(recorded.load());
  recorded.pass(20_s);
  recorded.close(id);
  const DeviceState seen = recorded.report(id).device_state;
  EXPECT_LT(seen.temperature_min.value(), seen.temperature_max.value());
  EXPECT_LT(seen.clock_min.value(), seen.clock_max.value());
  EXPECT_TRUE(seen.other_processes.empty());
  EXPECT_FALSE(seen.power_limit_lowered);
}

TEST(Recorder, ReportsThePeakOfTheWork) {
  RecordedTwin recorded(device::without_noise(device::device_called("v100")));
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(0.5_s);
  recorded.twin.run(recorded.load());
  recorded.pass(1_s);
  const Watts working = recorded.twin.true_power();
  recorded.twin.close_context();
  recorded.pass(0.5_s);
  recorded.close(id);
  EXPECT_NEAR(recorded.report(id).highest.si(), working.si(), 0.1 * working.si());
}

// A device with only an energy counter, as processors.
TEST(Recorder, WorksWithACounterAlone) {
  RecordedTwin recorded("v100");
  recorded.gpu.changed_capabilities().power.clear();
  recorded.watch();
  EXPECT_EQ(recorded.recorder->field_name(), "energy_counter");
  const SpanId whole = recorded.open(), first = recorded.open();
  const Joules before = recorded.twin.true_energy();
  recorded.twin.run(recorded.load());
  recorded.pass(3_s);
  recorded.close(first);
  const SpanId second = recorded.open();
  recorded.pass(2.345_s);
  recorded.close(second);
  recorded.close(whole);
  const Joules truth = recorded.twin.true_energy() - before;
  const SpanReport report = recorded.report(whole);
  EXPECT_FALSE(report.sensor);
  EXPECT_NEAR(report.energy.energy.si(), truth.si(), 0.03 * truth.si());
  EXPECT_EQ(report.counted, report.energy.energy);
  expect_same(recorded.report(first).energy.energy + recorded.report(second).energy.energy,
              report.energy.energy);
}

TEST(Recorder, NoReadingAndNoCounterIsAnError) {
  RecordedTwin recorded("p40");
  recorded.gpu.changed_capabilities().power.clear();
  const auto recorder = Recorder::create(recorded.gpu, recorded.clock, {});
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().kind, Errc::unsupported);
}

TEST(RecorderDeathTest, AWindowIsClosedOnceAndReportedOnce) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(0.5_s);
  EXPECT_DEATH((void)recorded.recorder->report(id), "broken contract");
  recorded.close(id);
  EXPECT_DEATH(recorded.close(id), "broken contract");
  (void)recorded.report(id);
  EXPECT_DEATH((void)recorded.recorder->report(id), "broken contract");
}

}  // namespace
}  // namespace ergon::meter
