#include "systolic/simulate.h"

#include <gtest/gtest.h>

namespace ergon::systolic {
namespace {

const Machine kEdge{{64, 64}, Dataflow::output_stationary, {1 << 20, 2 << 20, 1 << 20}};

TEST(LayersOf, SplitsRowsNamedForDepthwise) {
  graph::Topology topology;
  topology.convolutions = {{"DPdw", 10, 10, 3, 3, 4, 1, 1, 1}, {"plain", 10, 10, 3, 3, 4, 1, 1, 1}};
  topology.products = {{"fc", 3, 4, 5}};
  const auto split = layers_of(topology, true);
  ASSERT_TRUE(split);
  ASSERT_EQ(split->size(), 6U);
  EXPECT_EQ((*split)[0].name, "DPdwChannel_0");
  EXPECT_EQ((*split)[3].geometry.channels, 1);
  EXPECT_EQ((*split)[4].geometry.channels, 4);
  EXPECT_EQ(layers_of(topology, false)->size(), 3U);
}

TEST(Simulate, TracesEqualLayersAndMachinesOnce) {
  std::vector<Layer> layers;
  for (const char* name : {"a", "b", "c"}) {
    layers.push_back({name, *geometry_of({name, 14, 14, 3, 3, 512, 1, 1, 1})});
  }
  ScheduleCache cache;
  for (const double words : {8, 16, 32}) {
    const auto runs = simulate(layers, kEdge, MemoryPort::of(words), Semantics::v3, cache);
    ASSERT_TRUE(runs);
    EXPECT_EQ((*runs)[2].name, "c");
    EXPECT_EQ((*runs)[0].timing, (*runs)[2].timing);
  }
  EXPECT_EQ(cache.traced(), 1U);
}

TEST(Simulate, ReportsWhereScaleSimDividesByZero) {
  ScheduleCache cache;
  const Machine one{{1, 1}, Dataflow::output_stationary, {100, 100, 100}};
  const Layer layer{"dot", *geometry_of({"dot", 1, 1, 1, 1, 1, 1, 1, 1})};
  const auto run = simulate_layer(layer, one, MemoryPort::of(4), Semantics::v3, cache);
  ASSERT_FALSE(run);
  EXPECT_EQ(
      run.error().message,
      "layer \"dot\": SCALE-Sim divides by zero here: it counts one line as no cycle; --semantics ergon has "
      "an answer");
  const auto answered = simulate_layer(layer, one, MemoryPort::of(4), Semantics::ergon, cache);
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->timing.total_cycles, 1);
  EXPECT_EQ(answered->overall_utilization(), 100);
}

TEST(Simulate, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  ScheduleCache cache;
  const std::vector<Layer> layers = {{"a", *geometry_of({"a", 14, 14, 3, 3, 512, 1, 1, 1})}};
  const auto runs = simulate(layers, kEdge, MemoryPort::of(8), Semantics::v3, cache, 1, stop.get_token());
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().kind, Errc::cancelled);
}

TEST(Simulate, LayersOfATrillionMacs) {
  const graph::TopologyConv rows[] = {as_convolution({"product", 10'000, 10'000, 10'000}),
                                      {"convolution", 1002, 1002, 3, 3, 64, 1700, 1, 1}};
  for (const graph::TopologyConv& row : rows) {
    const auto geometry = geometry_of(row);
    ASSERT_TRUE(geometry);
    EXPECT_GT(geometry->macs(), 900'000'000'000);
    for (const Dataflow dataflow :
         {Dataflow::output_stationary, Dataflow::weight_stationary, Dataflow::input_stationary}) {
      Machine machine = kEdge;
      machine.dataflow = dataflow;
      for (const Semantics semantics : {Semantics::v3, Semantics::v2_2021, Semantics::ergon}) {
        ScheduleCache cache;
        const auto run = simulate_layer({row.name, *geometry}, machine, MemoryPort::of(20), semantics, cache);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_GT(run->timing.total_cycles, geometry->macs() / machine.array.units());
        EXPECT_GT(run->overall_utilization(), 0);
        EXPECT_LE(run->overall_utilization(), 100);
      }
    }
  }
}

TEST(Simulate, RejectsCountsBeyondTheExactRange) {
  const Machine small{{64, 64}, Dataflow::weight_stationary, {1024, 1024, 1024}};
  const Layer layer{"long", *geometry_of(as_convolution({"long", 100, 1000, 20'000}))};
  ScheduleCache cache;
  ASSERT_TRUE(simulate_layer(layer, small, MemoryPort::of(4), Semantics::ergon, cache));
  const auto run = simulate_layer(layer, small, MemoryPort::of(1e-6), Semantics::ergon, cache);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message,
            "layer \"long\": it moves more words, or takes more cycles, than can be counted");
}

TEST(Simulate, RejectsMoreFoldsThanCanBeTraced) {
  ScheduleCache cache;
  const Machine one{{1, 1}, Dataflow::output_stationary, {1024, 1024, 1024}};
  const Layer layer{"wide", *geometry_of(as_convolution({"wide", 1'000'000, 1'000'000, 1}))};
  const auto run = simulate_layer(layer, one, MemoryPort::of(4), Semantics::v3, cache);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, Errc::unsupported);
}

TEST(Machine, ChecksItsSizes) {
  EXPECT_TRUE(kEdge.check());
  Machine machine = kEdge;
  machine.array.rows = 0;
  EXPECT_EQ(machine.check().error().message, "an array of 0 x 64 units has none");
  machine = kEdge;
  machine.scratchpads.filter = 99;
  EXPECT_EQ(machine.check().error().message,
            "the filter scratchpad holds 99 words; it needs 100 at least (one line of the array is 64)");
}

}  // namespace
}  // namespace ergon::systolic
