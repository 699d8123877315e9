// Energy counters that disagree, jump, fall, fail and stop.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"
#include "meter/validity.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using Codes = std::vector<std::string>;

TEST(CounterValidity, ADifferenceOfTenPercentIsADisagreement) {
  for (const char* name : {"v100", "a100-sxm-80", "rtx2080ti", "a40", "h200"}) {
    for (const double gain : {0.9, 1.1}) {
      RecordedTwin recorded(name);
      recorded.gpu.faults.counter_gain = gain;
      recorded.watch();
      const Measurement measured = recorded.measure_work(10_s);
      EXPECT_TRUE(has(measured.reasons, "counter_disagrees")) << name << " " << gain;
      EXPECT_NEAR(measured.sources[0].counter_discrepancy.value(), 1 / gain - 1, 0.04) << name;
    }
  }
}

TEST(CounterValidity, ADifferenceOfOnePercentIsNotADisagreement) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.counter_gain = 1.01;
  recorded.watch();
  EXPECT_EQ(codes(recorded.measure_work(10_s).reasons), Codes{});
}

// Impossible counter values are ignored; the readings are used.
TEST(CounterValidity, ACounterThatJumpsOrFallsIsIgnored) {
  for (const Joules leap : {1e7_J, -1e6_J}) {
    RecordedTwin recorded("v100");
    recorded.watch();
    const Joules before = recorded.twin.true_energy();
    const SpanId id = recorded.open();
    recorded.twin.run(recorded.load());
    recorded.pass(5_s);
    recorded.gpu.faults.counter_leap = leap;
    recorded.pass(5_s);
    recorded.close(id);
    const Joules truth = recorded.twin.true_energy() - before;
    const Measurement measured = recorded.measurement(id);
    EXPECT_NEAR(measured.energy.si(), truth.si(), 0.03 * truth.si());
  }
}

// A jump that a board could have drawn is part of the energy and is reported.
TEST(CounterValidity, ASmallCounterJumpIsADisagreement) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.twin.run(recorded.load());
  recorded.pass(3_s);
  recorded.gpu.faults.counter_leap = 300_J;
  recorded.pass(3_s);
  recorded.close(id);
  EXPECT_TRUE(has(recorded.measurement(id).reasons, "counter_disagrees"));
}

TEST(CounterValidity, AFailingCounterIsIgnored) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.counter_fails = Errc::unsupported;
  recorded.watch();
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_FALSE(measured.sources[0].report.counted);
  EXPECT_FALSE(measured.sources[0].counter_discrepancy);
}

TEST(CounterValidity, WithoutACounterThereIsNoCrossCheck) {
  RecordedTwin recorded("p40");
  recorded.watch();
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_FALSE(measured.sources[0].report.counted);
  EXPECT_TRUE(measured.valid());
}

TEST(CounterValidity, AStoppedCounterDoesNotPreventTheStart) {
  RecordedTwin recorded("v100");
  recorded.gpu.faults.counter_stopped = true;
  recorded.watch();
  EXPECT_TRUE(recorded.recorder->ready());
}

// A counter that stops during the window misses hundreds of joules.
TEST(CounterValidity, ACounterThatStopsIsADisagreement) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.counter_stopped = true;
  const Measurement measured = recorded.measure_work(5_s);
  EXPECT_TRUE(has(measured.reasons, "counter_disagrees"));
}

// Windows that ended before the counter stopped must not report it as stopped.
TEST(CounterValidity, WindowsBeforeTheCounterStoppedStayValid) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.twin.run(recorded.load());
  recorded.pass(5_s);
  recorded.close(id);
  recorded.pass(1_s);
  recorded.gpu.faults.counter_stopped = true;
  recorded.pass(30_s);  // includes periodic reads
  const Measurement measured = recorded.measurement(id);
  EXPECT_EQ(codes(measured.reasons), Codes{});
  EXPECT_TRUE(measured.sources[0].report.counted);
}

}  // namespace
}  // namespace ergon::meter
