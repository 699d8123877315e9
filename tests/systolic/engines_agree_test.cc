// The product's engine, which jumps from event to event, against the one that follows every word.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/stepped/stepped.h"

namespace ergon::systolic {
namespace {

constexpr int kCasesPerShard = 250;

std::string text(const LayerRun& run) {
  const LayerTiming& t = run.timing;
  std::string out = fmt::format("cycles {} stalls {} with prefetch {}", t.total_cycles, t.stall_cycles,
                                t.cycles_with_prefetch);
  for (const Accesses& a :
       {t.sram_ifmap, t.sram_filter, t.sram_ofmap, t.dram_ifmap, t.dram_filter, t.dram_ofmap}) {
    out += fmt::format(" [{}..{} {}]", a.start, a.stop, a.words);
  }
  return out + fmt::format(" MACs {} used {} {} {}", run.macs, run.overall_utilization(),
                           run.mapping_efficiency, run.compute_utilization);
}

// Eight shards of 250 make the 2,000 cases; ERGON_SEED=N looks at others.
class EnginesAgree : public testing::TestWithParam<int> {};

TEST_P(EnginesAgree, OnEveryFieldOfEveryLayer) {
  const char* const seed = std::getenv("ERGON_SEED");
  Random random(static_cast<std::uint64_t>(GetParam()) + (seed == nullptr ? 0 : 1000 * std::stoull(seed)));
  int stalled = 0, refetched = 0, holes = 0;
  for (int i = 0; i < kCasesPerShard; ++i) {
    const RandomCase c = random_case(random);
    ASSERT_TRUE(c.machine.check()) << c;
    const auto geometry = geometry_of(c.row);
    ASSERT_TRUE(geometry) << c;
    ScheduleCache cache;
    for (const Semantics semantics : {Semantics::v3, Semantics::v2, Semantics::v2_2021, Semantics::ergon}) {
      const auto stepped = stepped::step({"layer", *geometry}, c.machine, c.port, semantics);
      const auto fast = simulate_layer({"layer", *geometry}, c.machine, c.port, semantics, cache);
      if (!stepped) {
        ASSERT_FALSE(fast) << c;
        continue;
      }
      ASSERT_TRUE(fast) << c << ": " << fast.error().message;
      ASSERT_EQ(*fast, *stepped) << c << ", " << name_of(semantics) << "\n"
                                 << text(*fast) << "\n"
                                 << text(*stepped);
      stalled += stepped->timing.stall_cycles != 0 ? 1 : 0;
      refetched += stepped->timing.dram_ifmap.words > geometry->distinct_inputs() ? 1 : 0;
      holes += geometry->has_missing() ? 1 : 0;
    }
  }
  // Cases that never stall would prove little.
  EXPECT_GT(stalled, kCasesPerShard / 2);
  EXPECT_GT(refetched, kCasesPerShard / 2);
  EXPECT_GT(holes, kCasesPerShard / 2);
}

INSTANTIATE_TEST_SUITE_P(Shards, EnginesAgree, testing::Range(0, 8));

// Wide arrays and tiny scratchpads: here SCALE-Sim's calculated bandwidth divides by zero.
TEST(EnginesAgreeOnErrors, WhereTwoEpochsFillInOneCycle) {
  Random random(77);
  int broken = 0;
  for (int i = 0; i < 400; ++i) {
    RandomCase c = random_case(random);
    c.port.calculated = true;
    c.machine.array.rows += 60;
    c.machine.array.columns += 60;
    c.machine.scratchpads = {110, 110, 200};
    const auto geometry = geometry_of(c.row);
    ASSERT_TRUE(geometry) << c;
    ScheduleCache cache;
    const auto stepped = stepped::step({"layer", *geometry}, c.machine, c.port, Semantics::v3);
    const auto fast = simulate_layer({"layer", *geometry}, c.machine, c.port, Semantics::v3, cache);
    ASSERT_EQ(bool(fast), bool(stepped)) << c;
    if (fast) continue;
    ++broken;
    EXPECT_NE(fast.error().message.find("--semantics ergon"), std::string::npos);
    EXPECT_EQ(fast.error().kind, Errc::unsupported);
    const auto answered = simulate_layer({"layer", *geometry}, c.machine, c.port, Semantics::ergon, cache);
    ASSERT_TRUE(answered) << c;
    EXPECT_EQ(text(*answered),
              text(*stepped::step({"layer", *geometry}, c.machine, c.port, Semantics::ergon)))
        << c;
  }
  EXPECT_GT(broken, 5);
}

// The same in a product, whose words stand in the stream once: 500 words make an epoch, and a line asks for
// 1,024.
TEST(EnginesAgreeOnErrors, WhereAProductFillsTwoEpochsInOneCycle) {
  const auto geometry = geometry_of(as_convolution({"product", 1100, 4, 1030}));
  ASSERT_TRUE(geometry);
  const Machine machine{{1024, 16}, Dataflow::output_stationary, {1024, 1024, 1024}};
  ScheduleCache cache;
  EXPECT_FALSE(stepped::step({"product", *geometry}, machine, MemoryPort::as_needed(), Semantics::v3));
  const auto fast =
      simulate_layer({"product", *geometry}, machine, MemoryPort::as_needed(), Semantics::v3, cache);
  ASSERT_FALSE(fast);
  EXPECT_NE(fast.error().message.find("the ifmap scratchpad fills up twice in line"), std::string::npos);
  const auto answered =
      simulate_layer({"product", *geometry}, machine, MemoryPort::as_needed(), Semantics::ergon, cache);
  ASSERT_TRUE(answered);
  EXPECT_EQ(text(*answered),
            text(*stepped::step({"product", *geometry}, machine, MemoryPort::as_needed(), Semantics::ergon)));
}

}  // namespace
}  // namespace ergon::systolic
