// Windows on a twin in simulated time: they nest, overlap and follow each other, and add up.

#include "meter/recorder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "meter/watched_twin.h"

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
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  Random random(1);
  const auto load = watched.load();
  const SpanId whole = watched.open();
  std::vector<SpanId> parts;
  for (int i = 0; i < 40; ++i) {
    parts.push_back(watched.open());
    if (random.below(2) == 0) watched.twin.run(load);
    watched.pass(Seconds{log_uniform(random, 0.0001, 0.5)});
    if (random.below(2) == 0) watched.twin.close_context();
    watched.pass(Seconds{log_uniform(random, 0.0001, 0.2)});
    watched.close(parts.back());
  }
  watched.close(whole);
  Joules sum;
  for (const SpanId part : parts) sum += watched.report(part).energy.energy;
  expect_same(sum, watched.report(whole).energy.energy);
}

// In any order, of opening, closing and asking: with the same ends, E(a, c) = E(a, b) + E(b, c).
TEST_P(EverySensor, OverlappingWindowsAddUp) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  Random random(2);
  const auto load = watched.load();
  for (int round = 0; round < 5; ++round) {
    // a |----------| c, a |---| b, b |------| c, b |----------| d, a |--------------| d, c |---| d
    const auto work = [&] {
      if (random.below(2) == 0) watched.twin.run(load);
      watched.pass(Seconds{log_uniform(random, 0.01, 1)});
      if (random.below(2) == 0) watched.twin.close_context();
    };
    const SpanId ac = watched.open(), ab = watched.open(), ad = watched.open();
    work();
    watched.close(ab);
    const SpanId bc = watched.open(), bd = watched.open();
    work();
    watched.close(ac);
    watched.close(bc);
    const SpanId cd = watched.open();
    const Joules e_ab = watched.report(ab).energy.energy;  // asked while others are open
    work();
    watched.close(cd);
    watched.close(bd);
    watched.close(ad);
    const Joules e_bd = watched.report(bd).energy.energy, e_ad = watched.report(ad).energy.energy;
    const Joules e_ac = watched.report(ac).energy.energy, e_cd = watched.report(cd).energy.energy;
    const Joules e_bc = watched.report(bc).energy.energy;
    expect_same(e_ab + e_bc, e_ac);
    expect_same(e_ab + e_bd, e_ad);
    expect_same(e_ac + e_cd, e_ad);
    expect_same(e_bc + e_cd, e_bd);
  }
}

TEST_P(EverySensor, NestedWindowsAreNoMoreThanTheirParents) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  const auto load = watched.load();
  std::vector<SpanId> nested;
  for (int i = 0; i < 10; ++i) {
    nested.push_back(watched.open());
    if (i == 4) watched.twin.run(load);
    watched.pass(0.11_s);
  }
  std::vector<Joules> energies;
  for (int i = 9; i >= 0; --i) {
    watched.close(nested[static_cast<std::size_t>(i)]);
    watched.pass(0.07_s);
  }
  for (const SpanId id : nested) energies.push_back(watched.report(id).energy.energy);
  EXPECT_TRUE(std::is_sorted(energies.rbegin(), energies.rend()));
  EXPECT_GT(energies.back(), 0_J);
}

TEST_P(EverySensor, WhatIsReportedIsNearTheTruth) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  const Joules before = watched.twin.true_energy();
  const Measurement measured = watched.measure_work(5_s);
  const Joules truth = watched.twin.true_energy() - before;  // and some idling behind
  EXPECT_NEAR(measured.energy.si(), truth.si(), 0.15 * truth.si());
  EXPECT_EQ(measured.duration, 5_s);
  EXPECT_GT(measured.uncertainty, 0_J);
  EXPECT_TRUE(measured.simulated);
}

TEST_P(EverySensor, ThereIsNothingToReportUntilAWindowIsSettled) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(1_s);
  watched.close(id);
  EXPECT_FALSE(watched.recorder->report(id)) << "nothing was read since";
  EXPECT_FALSE(watched.recorder->report(id)) << "and asking changes nothing";
  EXPECT_GT(watched.report(id).energy.energy, 0_J);
}

TEST_P(EverySensor, AWindowWithoutLengthHasNoEnergy) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  watched.twin.run(watched.load());
  watched.pass(0.5_s);
  const SpanId id = watched.open();
  watched.close(id);
  watched.pass(0.5_s);
  const SpanReport report = watched.report(id);
  EXPECT_FALSE(report.failure);
  EXPECT_EQ(report.begin, report.end);
  EXPECT_NEAR(report.energy.energy.si(), 0, 1e-9);
  EXPECT_TRUE(has(measured({report}).reasons, "too_short"));
}

TEST_P(EverySensor, AWindowThatIsForgottenLeavesOthersAlone) {
  WatchedTwin one(twin_called(GetParam()), 7), other(twin_called(GetParam()), 7);
  Joules energies[2];
  for (const bool forgets : {false, true}) {
    WatchedTwin& watched = forgets ? other : one;
    watched.watch();
    const SpanId kept = watched.open(), second = watched.open();
    watched.twin.run(watched.load());
    watched.pass(1_s);
    if (forgets) watched.recorder->forget(second);
    watched.pass(1_s);
    if (!forgets) watched.close(second);
    watched.close(kept);
    energies[forgets ? 1 : 0] = watched.report(kept).energy.energy;
  }
  expect_same(energies[1], energies[0]);
}

// A window's ends are known when the sensor has spoken again and the counter has stepped: long before the
// counter is looked at for its own sake.
TEST_P(EverySensor, AWindowIsSettledWithinSomeSeconds) {
  WatchedTwin watched(twin_called(GetParam()));
  watched.watch();
  Random random(3);
  Seconds longest;
  for (int i = 0; i < 60; ++i) {
    watched.pass(Seconds{log_uniform(random, 0.001, 0.5)});
    const SpanId id = watched.open();
    watched.pass(Seconds{log_uniform(random, 0.01, 0.5)});
    watched.close(id);
    const Instant closed = watched.clock.now();
    (void)watched.report(id);
    longest = std::max(longest, watched.clock.now() - closed);
  }
  EXPECT_LT(longest, 3_s);
}

TEST(Recorder, AWindowOpenedBeforeAnythingWasReadIsNotMadeUp) {
  WatchedTwin watched("v100");
  watched.recorder = Recorder::create(watched.gpu, watched.clock, {}).value();
  EXPECT_FALSE(watched.recorder->ready());
  const SpanId early = watched.open();
  watched.twin.advance(1_s);
  watched.pass(3_s);
  EXPECT_TRUE(watched.recorder->ready());
  const SpanId later = watched.open();
  watched.pass(1_s);
  watched.close(early);
  watched.close(later);
  const SpanReport known = watched.report(later), unknown = watched.report(early);
  EXPECT_FALSE(known.failure);
  EXPECT_TRUE(known.known());
  EXPECT_TRUE(unknown.failure);
  EXPECT_FALSE(unknown.known());
}

TEST(Recorder, TellsOfItself) {
  WatchedTwin watched("a40");
  watched.watch();
  EXPECT_EQ(watched.recorder->identity().id, "a40");
  EXPECT_EQ(watched.recorder->field_name(), "usage");
  EXPECT_TRUE(watched.recorder->simulated());
  EXPECT_FALSE(watched.recorder->failure());
  EXPECT_EQ(watched.recorder->period(), 20_ms);
}

TEST(Recorder, KeepsReadingsWhenAskedTo) {
  WatchedTwin watched("v100");
  watched.watch({.keep_readings = true});
  (void)watched.recorder->take_trace();
  const SpanId id = watched.open();
  watched.pass(2_s);
  watched.close(id);
  const SpanReport report = watched.report(id);
  EXPECT_NEAR(static_cast<double>(report.readings.size()), 100, 5);
  EXPECT_EQ(report.readings.size(), report.samples);
  const auto trace = watched.recorder->take_trace();
  EXPECT_GE(trace.size(), report.readings.size());
  EXPECT_TRUE(std::is_sorted(trace.begin(), trace.end(),
                             [](const TracePoint& a, const TracePoint& b) { return a.at < b.at; }));
  EXPECT_TRUE(watched.recorder->take_trace().empty()) << "what was taken is taken";
}

TEST(Recorder, KeepsNoneOtherwise) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(2_s);
  watched.close(id);
  const SpanReport report = watched.report(id);
  EXPECT_TRUE(report.readings.empty());
  EXPECT_NEAR(static_cast<double>(report.samples), 100, 5);
  EXPECT_TRUE(watched.recorder->take_trace().empty());
}

TEST(Recorder, SeesWhatIsAround) {
  WatchedTwin watched("a100-sxm-80");
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(1_s);
  watched.twin.run(watched.load());
  watched.pass(20_s);
  watched.close(id);
  const Surroundings seen = watched.report(id).surroundings;
  EXPECT_LT(seen.coolest.value(), seen.hottest.value());
  EXPECT_LT(seen.slowest.value(), seen.fastest.value());
  EXPECT_TRUE(seen.strangers.empty());
  EXPECT_FALSE(seen.limit_lowered);
}

TEST(Recorder, ThePeakIsThatOfTheWork) {
  WatchedTwin watched(device::without_noise(device::device_called("v100")));
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(0.5_s);
  watched.twin.run(watched.load());
  watched.pass(1_s);
  const Watts working = watched.twin.true_power();
  watched.twin.close_context();
  watched.pass(0.5_s);
  watched.close(id);
  EXPECT_NEAR(watched.report(id).highest.si(), working.si(), 0.1 * working.si());
}

// A device that only counts energy, as processors do.
TEST(Recorder, ACounterAloneWillDo) {
  WatchedTwin watched("v100");
  watched.gpu.changed_capabilities().power.clear();
  watched.watch();
  EXPECT_EQ(watched.recorder->field_name(), "energy_counter");
  const SpanId whole = watched.open(), first = watched.open();
  const Joules before = watched.twin.true_energy();
  watched.twin.run(watched.load());
  watched.pass(3_s);
  watched.close(first);
  const SpanId second = watched.open();
  watched.pass(2.345_s);
  watched.close(second);
  watched.close(whole);
  const Joules truth = watched.twin.true_energy() - before;
  const SpanReport report = watched.report(whole);
  EXPECT_FALSE(report.sensor);
  EXPECT_NEAR(report.energy.energy.si(), truth.si(), 0.03 * truth.si());
  EXPECT_EQ(report.counted, report.energy.energy);
  expect_same(watched.report(first).energy.energy + watched.report(second).energy.energy,
              report.energy.energy);
}

TEST(Recorder, NeitherReadingNorCounterIsAnError) {
  WatchedTwin watched("p40");
  watched.gpu.changed_capabilities().power.clear();
  const auto recorder = Recorder::create(watched.gpu, watched.clock, {});
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().kind, Errc::unsupported);
}

TEST(RecorderDeathTest, AWindowIsClosedOnceAndReportedOnce) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(0.5_s);
  EXPECT_DEATH((void)watched.recorder->report(id), "broken contract");
  watched.close(id);
  EXPECT_DEATH(watched.close(id), "broken contract");
  (void)watched.report(id);
  EXPECT_DEATH((void)watched.recorder->report(id), "broken contract");
}

}  // namespace
}  // namespace ergon::meter
