// What must hold of any simulation, whatever the layer.

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/stepped/trace.h"

namespace ergon::systolic {
namespace {

constexpr int kCases = 1500;

template <typename Check>
void for_random_cases(std::uint64_t seed, const Check& check) {
  Random random(seed);
  for (int i = 0; i < kCases; ++i) {
    const RandomCase c = random_case(random);
    const auto geometry = geometry_of(c.row);
    ASSERT_TRUE(geometry) << c;
    check(c, *geometry);
    if (testing::Test::HasFatalFailure()) return;
  }
}

LayerRun run(const RandomCase& c, const Geometry& geometry, Semantics semantics, ScheduleCache& cache) {
  auto run = simulate_layer({"layer", geometry}, c.machine, c.port, semantics, cache);
  EXPECT_TRUE(run) << c << ": " << (run ? "" : run.error().message);
  return run ? *run : LayerRun{};
}

// Every word that flows meets one unit in each column that its fold uses; counted in the trace, line by line.
TEST(Invariants, EveryMacIsDone) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    const auto g = geometry_of(c.row);
    ASSERT_TRUE(g) << c;
    const auto m = map_layer(*g, c.machine.array, c.machine.dataflow);
    ASSERT_TRUE(m) << c;
    const stepped::Trace trace(*g, *m);
    const bool inputs_stay = c.machine.dataflow == Dataflow::input_stationary;
    std::int64_t macs = 0;
    for (std::int64_t fold = 0; fold < m->folds(); ++fold) {
      for (std::int64_t line = 0; line < m->lines_per_fold; ++line) {
        const auto asked = trace.line(fold, line);
        for (const std::int64_t address : inputs_stay ? asked.filter : asked.ifmap) {
          if (address != stepped::kNothing) macs += m->columns_used(fold / m->row_folds);
        }
      }
    }
    ASSERT_EQ(macs, g->macs()) << c;
    ScheduleCache cache;
    ASSERT_EQ(run(c, *g, Semantics::ergon, cache).macs, macs) << c;
  }
}

TEST(Invariants, UtilizationIsAtMostOneHundredPercent) {
  for_random_cases(2, [](const RandomCase& c, const Geometry& g) {
    ScheduleCache cache;
    const LayerRun r = run(c, g, Semantics::ergon, cache);
    for (const double percent : {r.overall_utilization(), r.mapping_efficiency, r.compute_utilization}) {
      ASSERT_GT(percent, 0) << c;
      ASSERT_LE(percent, 100 + 1e-9) << c;
    }
    // Stalls only take away.
    ASSERT_LE(r.overall_utilization(), r.compute_utilization * (1 + 1e-9)) << c;
    ASSERT_LE(r.compute_utilization, r.mapping_efficiency * (1 + 1e-9)) << c;
  });
}

TEST(Invariants, MemoryTrafficIsAtLeastTheDistinctWords) {
  for_random_cases(3, [](const RandomCase& c, const Geometry& g) {
    ScheduleCache cache;
    const LayerTiming t = run(c, g, Semantics::ergon, cache).timing;
    ASSERT_GE(t.dram_ifmap.words, g.distinct_inputs()) << c;
    ASSERT_GE(t.dram_filter.words, g.taps * g.filters) << c;
    ASSERT_GE(t.dram_ofmap.words, g.positions * g.filters) << c;
    ASSERT_EQ(t.dram_ofmap.words, t.sram_ofmap.words) << c;
  });
}

TEST(Invariants, OneChannelMovesItsWordsInTheTimeItHas) {
  for_random_cases(4, [](RandomCase c, const Geometry& g) {
    c.port.calculated = false;
    ScheduleCache cache;
    const LayerTiming t = run(c, g, Semantics::ergon, cache).timing;
    const auto words = static_cast<double>(t.dram_ifmap.words + t.dram_filter.words + t.dram_ofmap.words);
    ASSERT_LE(words, c.port.channel_words * static_cast<double>(t.cycles_with_prefetch)) << c;
  });
}

TEST(Invariants, StallsAreNeverNegativeAndCyclesAddUp) {
  for_random_cases(5, [](const RandomCase& c, const Geometry& g) {
    ScheduleCache cache;
    const LayerTiming t = run(c, g, Semantics::ergon, cache).timing;
    const auto m = map_layer(g, c.machine.array, c.machine.dataflow);
    ASSERT_GE(t.stall_cycles, 0) << c;
    ASSERT_EQ(t.total_cycles, m->lines() + t.stall_cycles) << c;
    ASSERT_GE(t.cycles_with_prefetch, t.total_cycles) << c;
    if (c.port.calculated) {
      ASSERT_EQ(t.stall_cycles, 0) << c;
    }
  });
}

TEST(Invariants, AFasterChannelIsNeverSlower) {
  for_random_cases(6, [](RandomCase c, const Geometry& g) {
    c.port.calculated = false;
    ScheduleCache cache;
    LayerTiming before;
    for (double words = 0.25; words < 300; words *= 1.17) {
      c.port.channel_words = words;
      const LayerTiming now = run(c, g, Semantics::ergon, cache).timing;
      if (words > 0.25) {
        ASSERT_LE(now.total_cycles, before.total_cycles) << c;
        ASSERT_LE(now.cycles_with_prefetch, before.cycles_with_prefetch) << c;
        ASSERT_EQ(now.dram_ifmap.words, before.dram_ifmap.words) << c;
      }
      before = now;
    }
    ASSERT_EQ(cache.traced(), 1U);  // one trace served them all
  });
}

// In scale-sim-v2 nothing is counted twice either, and every operand has a port of its own.
TEST(Invariants, FasterPortsAreNeverSlowerInV2) {
  for_random_cases(7, [](RandomCase c, const Geometry& g) {
    c.port.calculated = false;
    ScheduleCache cache;
    std::int64_t before = 0;
    for (std::int64_t words = 1; words < 200; words *= 2) {
      c.port.ports = {words, words, 1 << 20};
      const LayerRun now = run(c, g, Semantics::v2, cache);
      if (words > 1) {
        ASSERT_LE(now.timing.total_cycles, before) << c;
      }
      ASSERT_GE(now.timing.stall_cycles, 0) << c;
      before = now.timing.total_cycles;
    }
  });
}

}  // namespace
}  // namespace ergon::systolic
