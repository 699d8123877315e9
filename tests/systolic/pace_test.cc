// The array at another pace than its memory.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/replay.h"
#include "systolic/shared_channel.h"

namespace ergon::systolic {
namespace {

// SCALE-Sim's output scratchpad, word by word, with times that need not be whole.
class PlainOutputs {
 public:
  PlainOutputs(std::int64_t scratchpad, std::int64_t port)
      : scratchpad_(scratchpad), port_(port), free_(scratchpad) {}

  double write(std::int64_t words, double now) {
    const double begin = now;
    for (; words > 0; --words) {
      if (lines_.empty() || closed_) lines_.push_back(0);
      closed_ = ++lines_.back() == port_;
      --free_;
      if (now < drain_end_) {
        if (free_ <= 0) now = drain_end_;
      } else if (free_ < (scratchpad_ + 1) / 2) {
        closed_ = true;
        drain(now);
      }
    }
    return now - begin;
  }

 private:
  void drain(double now) {
    const std::int64_t half = scratchpad_ / 2;
    const auto most = static_cast<std::size_t>((half + port_ - 1) / port_);
    const std::size_t lines = std::min(lines_.size(), most);
    free_ += static_cast<std::int64_t>(lines - 1) * port_ + lines_[lines - 1];
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(lines));
    drain_end_ = now + static_cast<double>(lines) - 1;
  }

  std::int64_t scratchpad_, port_, free_;
  std::vector<std::int64_t> lines_;
  bool closed_ = false;
  double drain_end_ = 0;
};

// One operand's pieces and the line that each is waited for in.
struct PlainReads {
  std::vector<Miss> misses;
  std::int64_t piece;  // memory cycles, the one between pieces included
  double there = -1;   // when the latest piece is
  std::size_t next = 0;

  PlainReads(const ReadSchedule& schedule, std::int64_t port)
      : piece((schedule.plan.prefetched_words + port - 1) / port + 1) {
    for (MissList::Cursor at(schedule.misses); !at.done(); at.advance()) misses.push_back(*at);
  }

  // When the line is done with its data.
  double done(std::int64_t line, double now, double pace, bool early_counts) {
    if (next == misses.size() || misses[next].line != line) return now + pace;
    there += static_cast<double>(misses[next++].moves * piece);
    return early_counts ? there : std::max(now + pace, there);
  }
};

// Line by line, from what docs/systolic.md says.
PacedTiming plain_run(const MissSchedule& schedule, const PortWords& ports, Semantics semantics,
                      const Pace& pace) {
  PlainReads ifmap(schedule.ifmap, ports.ifmap), filter(schedule.filter, ports.filter);
  PlainOutputs outputs(schedule.machine.scratchpads.ofmap, ports.ofmap);
  const bool early_counts = semantics == Semantics::v2_2021;
  double now = pace.start, line_takes = pace.line, stalls = pace.start;
  const std::int64_t lines = schedule.mapping.lines();
  std::int64_t last_wait = -1;
  for (std::int64_t line = 0;; ++line) {
    const bool changes = pace.change && line == pace.change->after;
    double end = std::max(ifmap.done(line, now, line_takes, early_counts),
                          filter.done(line, now, line_takes, early_counts));
    const double wait = outputs.write(schedule.outputs.in_line(line), now);
    end = std::max(end, now + wait + (early_counts ? 0 : line_takes));
    if (changes) end = std::max(end, now + line_takes + pace.change->pause);
    const double waited = end - now - line_takes;
    if (waited > 0 && waited >= pace.long_wait) last_wait = line;
    if (line == lines - 1) return {now + wait, stalls + waited, last_wait};
    stalls += waited;
    now = end;
    if (changes) line_takes = pace.change->line;
  }
}

TEST(Pace, FullPaceGivesTheReportedCycles) {
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
TEST(Pace, EveryOtherPaceIsWhatLineByLineGives) {
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

// With one channel: the same words in twice the memory cycles, seen from an array that is half as fast.
TEST(Pace, HalfPaceIsTwiceTheBandwidthForTheArray) {
  Random random(13);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    const auto schedule = trace_misses(*geometry_of(c.row), c.machine);
    ASSERT_TRUE(schedule) << c;
    const PacedTiming slow = share_channel(*schedule, c.port.channel_words, {.line = 2});
    const PacedTiming twice = share_channel(*schedule, 2 * c.port.channel_words, {});
    const auto transfers =
        static_cast<double>(schedule->ifmap.misses.moves() + schedule->filter.misses.moves() +
                            2 * schedule->outputs.total() / schedule->machine.scratchpads.ofmap + 4);
    EXPECT_NEAR(slow.cycles, 2 * twice.cycles, 2 * transfers) << c;
  }
}

TEST(Pace, ASlowerArrayWaitsLessAndIsNeverFaster) {
  Random random(14);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    const auto schedule = trace_misses(*geometry_of(c.row), c.machine);
    ASSERT_TRUE(schedule) << c;
    const PacedTiming full = share_channel(*schedule, c.port.channel_words, {});
    const PacedTiming slow = share_channel(*schedule, c.port.channel_words, {.line = 1.5});
    EXPECT_GE(slow.cycles, full.cycles) << c;
    EXPECT_LE(slow.stalls, full.stalls) << c;
    const PacedTiming late = share_channel(*schedule, c.port.channel_words, {.start = 40});
    EXPECT_GE(late.cycles, full.cycles) << c;
    EXPECT_LE(late.cycles, full.cycles + 40) << c;  // the memory has gone on meanwhile
  }
}

}  // namespace
}  // namespace ergon::systolic
