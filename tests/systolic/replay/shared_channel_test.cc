// Ergon's own timing, worked out by hand.

#include "systolic/replay/shared_channel.h"

#include <gtest/gtest.h>

namespace ergon::systolic {
namespace {

MissSchedule schedule_of(const graph::TopologyConv& row, const Machine& machine) {
  const auto geometry = geometry_of(row);
  EXPECT_TRUE(geometry);
  auto schedule = trace_misses(*geometry, machine);
  EXPECT_TRUE(schedule);
  return std::move(*schedule);
}

// A product 4 x 1 times 1 x 1 on one unit: four folds of one line each, nothing to wait for.
TEST(SharedChannel, CountsEveryLine) {
  const auto schedule =
      schedule_of(as_convolution({"g", 4, 1, 1}), {{1, 1}, Dataflow::output_stationary, {100, 100, 100}});
  const LayerTiming t = share_channel(schedule, 2);
  EXPECT_EQ(t.total_cycles, 4);
  EXPECT_EQ(t.stall_cycles, 0);
  EXPECT_EQ(t.sram_ofmap.words, 4);
  // Two cycles for the inputs, one for the weight, before line 0; the outputs after the last line.
  EXPECT_EQ(t.dram_ifmap, (Accesses{-3, -2, 4}));
  EXPECT_EQ(t.dram_filter, (Accesses{-1, -1, 1}));
  EXPECT_EQ(t.dram_ofmap, (Accesses{4, 5, 4}));
  EXPECT_EQ(t.cycles_with_prefetch, 9);
}

// 250 inputs in a scratchpad of 100: 50 are there, the rest comes in pieces of 50 while one unit eats one a
// line. At one word a cycle the pieces come just in time; at half a word each of the four is late.
TEST(SharedChannel, WaitsForPiecesThatAreLate) {
  const auto schedule =
      schedule_of(as_convolution({"g", 1, 1, 250}), {{1, 1}, Dataflow::output_stationary, {100, 1000, 100}});
  ASSERT_EQ(schedule.ifmap.misses.moves(), 4);
  EXPECT_EQ(share_channel(schedule, 1).stall_cycles, 0);
  const LayerTiming slow = share_channel(schedule, 0.5);
  // The first piece, asked for at 0, is there at 100 where line 50 wants it; so it goes on.
  EXPECT_EQ(slow.stall_cycles, 4 * 50);
  EXPECT_EQ(slow.dram_ifmap.words, 250);
  EXPECT_EQ(slow.total_cycles, 250 + 200);
}

// Both operands in pieces of 50, one word a cycle: each piece of weights waits behind a piece of inputs.
TEST(SharedChannel, OperandsShareOneQueue) {
  const auto schedule =
      schedule_of(as_convolution({"g", 1, 1, 150}), {{1, 1}, Dataflow::output_stationary, {100, 100, 100}});
  ASSERT_EQ(schedule.ifmap.misses.moves(), 2);
  ASSERT_EQ(schedule.filter.misses.moves(), 2);
  const LayerTiming t = share_channel(schedule, 1);
  // Asked at 0: inputs until 50, weights until 100. Line 50 waits until 100; both ask again, until 200; line
  // 100, which would begin at 150, waits for that.
  EXPECT_EQ(t.stall_cycles, 50 + 50);
  EXPECT_EQ(share_channel(schedule, 2).stall_cycles, 0);
}

// 200 outputs, one a line, halves of 50 at a quarter of a word a cycle: the second half waits for the first.
TEST(SharedChannel, StallsWhenTheOutputScratchpadIsFull) {
  const auto schedule =
      schedule_of(as_convolution({"g", 200, 1, 1}), {{1, 1}, Dataflow::output_stationary, {1000, 1000, 100}});
  const LayerTiming t = share_channel(schedule, 0.25);
  // Full in lines 49, 99, 149, 199; out 200 cycles after being handed over.
  EXPECT_EQ(t.stall_cycles, 3 * 150);
  EXPECT_EQ(t.dram_ofmap.words, 200);
  EXPECT_EQ(t.dram_ofmap.start, 49);
  EXPECT_EQ(t.dram_ofmap.stop, 49 + 4 * 200 - 1);
}

}  // namespace
}  // namespace ergon::systolic
