// Overhead of a recorder: read rate, interference checks, memory, and time until it is ready.

#include <algorithm>
#include <cmath>
#include <malloc.h>
#include <set>

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"
#include "meter/recorder.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

TEST(RecorderUpkeep, ReadsAreJitteredAroundThePeriod) {
  RecordedTwin recorded("v100");
  recorded.watch({.period = 50_ms});
  const auto before = recorded.gpu.power_reads();
  recorded.pass(50_s);
  EXPECT_NEAR(static_cast<double>(recorded.gpu.power_reads() - before), 1000, 20);
  std::set<std::int64_t> gaps;
  for (int i = 0; i < 20; ++i) {
    const Instant now = recorded.clock.now();
    const Seconds gap = recorded.recorder->read() - now;
    EXPECT_GE(gap, 40_ms);
    EXPECT_LE(gap, 60_ms);
    gaps.insert((now + gap).ns - now.ns);
  }
  EXPECT_GT(gaps.size(), 10U);
}

TEST(RecorderUpkeep, APeriodMustBePositive) {
  RecordedTwin recorded("v100");
  for (const double period : {0.0, -1.0, std::nan("")}) {
    const auto recorder = Recorder::create(recorded.gpu, recorded.clock, {.period = Seconds{period}});
    ASSERT_FALSE(recorder) << period;
    EXPECT_EQ(recorder.error().kind, Errc::invalid_input);
  }
}

std::size_t heap_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Memory growth after an hour of windows without reports.
std::size_t growth_in_an_hour(const char* twin) {
  RecordedTwin recorded(twin);
  recorded.watch();
  const auto windows_for = [&](int minutes) {
    for (int i = 0; i < minutes * 60 * 2; ++i) {
      const SpanId id = recorded.open(), other = recorded.open();
      recorded.pass(0.25_s);
      recorded.close(id);
      recorded.recorder->forget(other);
      recorded.pass(0.25_s);
      recorded.recorder->forget(id);
    }
  };
  windows_for(2);
  const std::size_t before = heap_in_use();
  windows_for(60);
  return std::max(heap_in_use(), before) - before;
}

TEST(RecorderUpkeep, AnHourOfWindowsKeepsNoPieces) { EXPECT_LT(growth_in_an_hour("p40"), 50'000U); }

TEST(RecorderUpkeep, AnHourOfWindowsKeepsNoAnchors) { EXPECT_LT(growth_in_an_hour("v100"), 50'000U); }

TEST(RecorderUpkeep, AnOpenWindowUsesNoMemory) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.pass(60_s);
  const std::size_t before = heap_in_use();
  recorded.pass(3600_s);
  EXPECT_LT(heap_in_use(), before + 200'000);
  recorded.close(id);
  EXPECT_FALSE(recorded.report(id).failure);
}

// A window that began before the first reading can never be resolved; no pieces are stored for it.
TEST(RecorderUpkeep, AWindowBeforeTheFirstReadingUsesNoMemory) {
  RecordedTwin recorded("v100");
  recorded.recorder = Recorder::create(recorded.gpu, recorded.clock, {}).value();
  (void)recorded.open();
  recorded.twin.advance(1_s);
  recorded.pass(60_s);
  const std::size_t before = heap_in_use();
  recorded.pass(600_s);
  EXPECT_LT(heap_in_use(), before + 200'000);
}

// A one-second mean includes earlier power until a full window has passed.
TEST(RecorderUpkeep, ASlowMeanIsReadyAfterAFullWindow) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RecordedTwin recorded("a40", seed);
    recorded.twin.run(recorded.load());
    recorded.twin.advance(3_s + 0.013_s * static_cast<double>(seed));
    recorded.twin.close_context();
    recorded.twin.advance(0.6_s);
    recorded.watch();
    const SpanId id = recorded.open();
    const Joules before = recorded.twin.true_energy();
    recorded.pass(1_s);
    const Joules truth = recorded.twin.true_energy() - before;
    recorded.close(id);
    const Measurement measured = recorded.measurement(id);
    inside += std::fabs((measured.energy - truth).si()) <= measured.uncertainty.si();
  }
  EXPECT_GE(inside, 36);
}

// Periods out of range are refused or lengthened, and very long ones must not overflow the clock.
TEST(RecorderUpkeep, VeryShortPeriodsAreRefused) {
  for (const double period : {1e-9, 1e-6, 1e12}) {
    RecordedTwin recorded("v100");
    const auto recorder = Recorder::create(recorded.gpu, recorded.clock, {.period = Seconds{period}});
    if (!recorder) continue;
    EXPECT_GE((*recorder)->read() - recorded.clock.now(), 0.5_ms) << period;
  }
}

// An interference check takes milliseconds on some drivers. One check per window would take a sixth of the
// time with many windows.
TEST(RecorderUpkeep, InterferenceChecksTakeASmallShareOfTheTime) {
  RecordedTwin recorded("v100");
  recorded.watch();
  Seconds looking;
  recorded.gpu.faults.checked = [&] {
    recorded.twin.advance(10_ms);
    looking += 10_ms;
  };
  const Instant began = recorded.clock.now();
  while (recorded.clock.now() - began < 60_s) {
    const SpanId id = recorded.open();
    recorded.pass(0.06_s);
    recorded.recorder->forget(id);
  }
  EXPECT_GT(looking, 0_s);
  EXPECT_LT(looking, 0.03 * 60_s);
}

}  // namespace
}  // namespace ergon::meter
