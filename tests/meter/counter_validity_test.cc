// Energy counters that disagree, leap, fall, fail and stand still.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "meter/validity.h"
#include "meter/watched_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using Codes = std::vector<std::string>;

TEST(CounterValidity, ACounterThatSaysTenPercentMoreOrLessDisagrees) {
  for (const char* name : {"v100", "a100-sxm-80", "rtx2080ti", "a40", "h200"}) {
    for (const double gain : {0.9, 1.1}) {
      WatchedTwin watched(name);
      watched.gpu.faults.counter_gain = gain;
      watched.watch();
      const Measurement measured = watched.measure_work(10_s);
      EXPECT_TRUE(has(measured.reasons, "counter_disagrees")) << name << " " << gain;
      EXPECT_NEAR(measured.sources[0].counter_discrepancy.value(), 1 / gain - 1, 0.04) << name;
    }
  }
}

TEST(CounterValidity, ACounterThatSaysOnePercentMoreDoesNot) {
  WatchedTwin watched("v100");
  watched.gpu.faults.counter_gain = 1.01;
  watched.watch();
  EXPECT_EQ(codes(watched.measure_work(10_s).reasons), Codes{});
}

// What a counter cannot have counted is not believed; the readings stand.
TEST(CounterValidity, ACounterThatLeapsOrFallsDoesNotSpoilTheEnergy) {
  for (const Joules leap : {1e7_J, -1e6_J}) {
    WatchedTwin watched("v100");
    watched.watch();
    const Joules before = watched.twin.true_energy();
    const SpanId id = watched.open();
    watched.twin.run(watched.load());
    watched.pass(5_s);
    watched.gpu.faults.counter_leap = leap;
    watched.pass(5_s);
    watched.close(id);
    const Joules truth = watched.twin.true_energy() - before;
    const Measurement measured = watched.measurement(id);
    EXPECT_NEAR(measured.energy.si(), truth.si(), 0.03 * truth.si());
  }
}

// A leap that a board could have drawn is in the energy, and is told.
TEST(CounterValidity, ASmallLeapOfTheCounterIsADisagreement) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.twin.run(watched.load());
  watched.pass(3_s);
  watched.gpu.faults.counter_leap = 300_J;
  watched.pass(3_s);
  watched.close(id);
  EXPECT_TRUE(has(watched.measurement(id).reasons, "counter_disagrees"));
}

TEST(CounterValidity, ACounterThatFailsIsDoneWithout) {
  WatchedTwin watched("v100");
  watched.gpu.faults.counter_fails = Errc::unsupported;
  watched.watch();
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_FALSE(measured.sources[0].report.counted);
  EXPECT_FALSE(measured.sources[0].counter_discrepancy);
}

TEST(CounterValidity, WithoutACounterThereIsNoCrossCheck) {
  WatchedTwin watched("p40");
  watched.watch();
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_FALSE(measured.sources[0].report.counted);
  EXPECT_TRUE(measured.valid());
}

TEST(CounterValidity, ACounterThatStandsStillDoesNotKeepTheMeterFromStarting) {
  WatchedTwin watched("v100");
  watched.gpu.faults.counter_stands = true;
  watched.watch();
  EXPECT_TRUE(watched.recorder->ready());
}

// One that stops in the middle has counted nothing of hundreds of joules.
TEST(CounterValidity, ACounterThatStopsDisagrees) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.counter_stands = true;
  const Measurement measured = watched.measure_work(5_s);
  EXPECT_TRUE(has(measured.reasons, "counter_disagrees"));
}

// Once the counter has stopped, windows that were over before and had it agree are told that it stands still.
TEST(CounterValidity, WhatTheCounterCountedBeforeItStoppedIsCounted) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.twin.run(watched.load());
  watched.pass(5_s);
  watched.close(id);
  watched.pass(1_s);
  watched.gpu.faults.counter_stands = true;
  watched.pass(30_s);  // somebody looks at it now and then
  const Measurement measured = watched.measurement(id);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_TRUE(measured.sources[0].report.counted);
}

}  // namespace
}  // namespace ergon::meter
