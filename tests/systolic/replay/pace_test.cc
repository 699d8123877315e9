// The array at another pace than its memory.

#include <gtest/gtest.h>

#include "systolic/plain_run.h"
#include "systolic/random_layer.h"
#include "systolic/replay/replay.h"
#include "systolic/replay/shared_channel.h"

namespace ergon::systolic {
namespace {

TEST(Pace, FullSpeedGivesTheReportedCycles) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    ScheduleCache cache;
    const auto schedule = cache.misses(*geometry_of(c.row), c.machine);
    ASSERT_TRUE(schedule) << c;
    MemoryPort port = c.port;
    port.calculated = false;
    for (const Semantics semantics : {Semantics::v3, Semantics::v2, Semantics::v2_2021, Semantics::ergon}) {
      const auto run = simulate_layer({"layer", *geometry_of(c.row)}, c.machine, port, semantics, cache);
      if (!run) continue;  // a layer of one line has no cycles in SCALE-Sim
      const PacedTiming timing = run_at_pace(**schedule, port, semantics, {});
      EXPECT_EQ(timing.cycles, static_cast<double>(run->timing.total_cycles)) << c << name_of(semantics);
      EXPECT_EQ(timing.stalls, static_cast<double>(run->timing.stall_cycles)) << c << name_of(semantics);
    }
  }
}

// Quarters are exact in binary, so both add up to the same digits.
TEST(Pace, AnyClockMatchesTheLineByLineSimulation) {
  Random random(12);
  int waited = 0, changed = 0;
  for (int i = 0; i < 600; ++i) {
    const RandomCase c = random_case(random);
    const auto schedule = trace_misses(*geometry_of(c.row), c.machine);
    ASSERT_TRUE(schedule) << c;
    Pace pace{.line = 1 + 0.25 * static_cast<double>(random.below(16)),
              .start = 0.5 * static_cast<double>(random.below(100))};
    pace.long_wait = 0.5 * static_cast<double>(random.below(20));
    if (random.below(2) == 0) {
      const auto lines = static_cast<std::uint64_t>(schedule->mapping.lines());
      pace.change = {.after = static_cast<std::int64_t>(random.below(lines)),
                     .line = 1.25,
                     .pause = 0.5 * static_cast<double>(random.below(200))};
    }
    for (const Semantics semantics : {Semantics::v2, Semantics::v2_2021}) {
      const PacedTiming fast = replay(*schedule, c.port.ports, semantics, pace);
      const PacedTiming plain = plain_run(*schedule, c.port.ports, semantics, pace);
      ASSERT_EQ(fast.cycles, plain.cycles)
          << c << ", " << name_of(semantics) << ", a line takes " << pace.line;
      ASSERT_EQ(fast.stalls, plain.stalls)
          << c << ", " << name_of(semantics) << ", a line takes " << pace.line;
      ASSERT_EQ(fast.last_wait, plain.last_wait) << c << ", " << name_of(semantics);
      waited += plain.stalls > pace.start + 1 ? 1 : 0;
      changed += pace.change ? 1 : 0;
    }
  }
  EXPECT_GT(waited, 300);
  EXPECT_GT(changed, 100);
}

// A line that begins exactly when a drain of the outputs ends, at a pace whose fractions are not exact in
// binary: 5/3 cycles a line. Worked out in fractions by hand-written exact arithmetic: 1295 cycles.
TEST(Pace, TiesAreTies) {
  const auto geometry = geometry_of({"layer", 9, 5, 2, 2, 2, 100, 1, 1});
  const Machine machine{{32, 7}, Dataflow::output_stationary, {2048, 1024, 1024}};
  const auto schedule = trace_misses(*geometry, machine);
  ASSERT_TRUE(schedule);
  const PacedTiming timing =
      replay(*schedule, PortWords::all(2), Semantics::v2_2021, {.line = 500.0 / 300.0});
  EXPECT_NEAR(timing.cycles, 1295, 1e-6);
}

// Random layers on random machines, traced.
template <typename Check>
void for_random_schedules(std::uint64_t seed, const Check& check) {
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    const auto schedule = trace_misses(*geometry_of(c.row), c.machine);
    ASSERT_TRUE(schedule) << c;
    check(c, *schedule);
  }
}

// With one channel: the same words in twice the memory cycles, seen from an array that is half as fast.
TEST(Pace, HalfTheClockDoublesTheBandwidthPerLine) {
  for_random_schedules(13, [](const RandomCase& c, const MissSchedule& schedule) {
    const PacedTiming slow = share_channel(schedule, c.port.channel_words, {.line = 2});
    const PacedTiming twice = share_channel(schedule, 2 * c.port.channel_words, {});
    const std::int64_t halves = 2 * schedule.outputs.total() / schedule.machine.scratchpads.ofmap;
    const auto transfers = schedule.ifmap.misses.moves() + schedule.filter.misses.moves() + halves + 4;
    EXPECT_NEAR(slow.cycles, 2 * twice.cycles, 2 * static_cast<double>(transfers)) << c;
  });
}

TEST(Pace, ASlowerArrayStallsLessAndIsNeverFaster) {
  for_random_schedules(14, [](const RandomCase& c, const MissSchedule& schedule) {
    const PacedTiming full = share_channel(schedule, c.port.channel_words, {});
    const PacedTiming slow = share_channel(schedule, c.port.channel_words, {.line = 1.5});
    EXPECT_GE(slow.cycles, full.cycles) << c;
    EXPECT_LE(slow.stalls, full.stalls) << c;
    const PacedTiming late = share_channel(schedule, c.port.channel_words, {.start = 40});
    EXPECT_GE(late.cycles, full.cycles) << c;
    EXPECT_LE(late.cycles, full.cycles + 40) << c;  // the memory has gone on meanwhile
  });
}

}  // namespace
}  // namespace ergon::systolic
