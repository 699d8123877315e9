// What a recorder costs: how often it reads and looks, what it keeps, and when it is ready.

#include <algorithm>
#include <cmath>
#include <malloc.h>
#include <set>

#include <gtest/gtest.h>

#include "meter/recorder.h"
#include "meter/watched_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(RecorderUpkeep, APeriodIsKeptOnAverageAndNeverInStep) {
  WatchedTwin watched("v100");
  watched.watch({.period = 50_ms});
  const auto before = watched.gpu.power_reads();
  watched.pass(50_s);
  EXPECT_NEAR(static_cast<double>(watched.gpu.power_reads() - before), 1000, 20);
  std::set<std::int64_t> gaps;
  for (int i = 0; i < 20; ++i) {
    const Instant now = watched.clock.now();
    const Seconds gap = watched.recorder->read() - now;
    EXPECT_GE(gap, 40_ms);
    EXPECT_LE(gap, 60_ms);
    gaps.insert((now + gap).ns - now.ns);
  }
  EXPECT_GT(gaps.size(), 10U);
}

TEST(RecorderUpkeep, APeriodMustBeMoreThanNothing) {
  WatchedTwin watched("v100");
  for (const double period : {0.0, -1.0, std::nan("")}) {
    const auto recorder = Recorder::create(watched.gpu, watched.clock, {.period = Seconds{period}});
    ASSERT_FALSE(recorder) << period;
    EXPECT_EQ(recorder.error().kind, Errc::invalid_input);
  }
}

std::size_t heap_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Windows that nobody asks about, and an hour of them: by how much what is kept grows.
std::size_t growth_in_an_hour(const char* twin) {
  WatchedTwin watched(twin);
  watched.watch();
  const auto windows_for = [&](int minutes) {
    for (int i = 0; i < minutes * 60 * 2; ++i) {
      const SpanId id = watched.open(), other = watched.open();
      watched.pass(0.25_s);
      watched.close(id);
      watched.recorder->forget(other);
      watched.pass(0.25_s);
      watched.recorder->forget(id);
    }
  };
  windows_for(2);
  const std::size_t before = heap_in_use();
  windows_for(60);
  return std::max(heap_in_use(), before) - before;
}

TEST(RecorderUpkeep, AnHourOfWindowsLeavesNothingBehind) { EXPECT_LT(growth_in_an_hour("p40"), 50'000U); }

TEST(RecorderUpkeep, AnHourOfWindowsLeavesNothingBehindOfTheCounterEither) {
  EXPECT_LT(growth_in_an_hour("v100"), 50'000U);
}

TEST(RecorderUpkeep, AWindowThatStaysOpenCostsNothing) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.pass(60_s);
  const std::size_t before = heap_in_use();
  watched.pass(3600_s);
  EXPECT_LT(heap_in_use(), before + 200'000);
  watched.close(id);
  EXPECT_FALSE(watched.report(id).failure);
}

// One that began before anything was known waits for a beginning that never comes; nothing is kept for it.
TEST(RecorderUpkeep, AWindowThatCannotBeKnownCostsNothing) {
  WatchedTwin watched("v100");
  watched.recorder = Recorder::create(watched.gpu, watched.clock, {}).value();
  (void)watched.open();
  watched.twin.advance(1_s);
  watched.pass(60_s);
  const std::size_t before = heap_in_use();
  watched.pass(600_s);
  EXPECT_LT(heap_in_use(), before + 200'000);
}

// A mean over a second that is half full of what was before tells of now only when that has left it.
TEST(RecorderUpkeep, ASlowMeanIsReadyOnceItKnowsWhatItAverages) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    WatchedTwin watched("a40", seed);
    watched.twin.run(watched.load());
    watched.twin.advance(3_s + 0.013_s * static_cast<double>(seed));
    watched.twin.close_context();
    watched.twin.advance(0.6_s);
    watched.watch();
    const SpanId id = watched.open();
    const Joules before = watched.twin.true_energy();
    watched.pass(1_s);
    const Joules truth = watched.twin.true_energy() - before;
    watched.close(id);
    const Measurement measured = watched.measurement(id);
    inside += std::fabs((measured.energy - truth).si()) <= measured.uncertainty.si();
  }
  EXPECT_GE(inside, 36);
}

// What nobody can keep is refused or lengthened, and one that is longer than the clock's range does not wrap
// around to the past.
TEST(RecorderUpkeep, NoPeriodIsABusyLoop) {
  for (const double period : {1e-9, 1e-6, 1e12}) {
    WatchedTwin watched("v100");
    const auto recorder = Recorder::create(watched.gpu, watched.clock, {.period = Seconds{period}});
    if (!recorder) continue;
    EXPECT_GE((*recorder)->read() - watched.clock.now(), 0.5_ms) << period;
  }
}

// Every window wants to know what is around it, and a look costs milliseconds on some drivers: looked at for
// each of many windows, it takes a sixth of the time away from reading power.
TEST(RecorderUpkeep, LookingAroundTakesASmallShareOfTheTime) {
  WatchedTwin watched("v100");
  watched.watch();
  Seconds looking;
  watched.gpu.faults.looked = [&] {
    watched.twin.advance(10_ms);
    looking += 10_ms;
  };
  const Instant began = watched.clock.now();
  while (watched.clock.now() - began < 60_s) {
    const SpanId id = watched.open();
    watched.pass(0.06_s);
    watched.recorder->forget(id);
  }
  EXPECT_GT(looking, 0_s);
  EXPECT_LT(looking, 0.03 * 60_s);
}

}  // namespace
}  // namespace ergon::meter
