#include "systolic/setup/design_grid.h"

#include <gtest/gtest.h>

#include "systolic/setup/engine.h"
#include "systolic/simulate.h"

namespace ergon::systolic {
namespace {

TEST(DesignGrid, CombinesEverything) {
  DesignGrid grid;
  grid.arrays = {{8, 8}, {16, 16}};
  grid.dataflows = {Dataflow::output_stationary, Dataflow::weight_stationary};
  grid.bandwidths = {*parse_bandwidth("4"), *parse_bandwidth("calc"), *parse_bandwidth("8GB/s")};
  grid.memories = {"lpddr4", "hbm2"};
  const auto setups = setups_of(grid);
  ASSERT_TRUE(setups) << setups.error().message;
  ASSERT_EQ(setups->size(), 2u * 2u * (3u + 2u));
  // The bandwidths of one array come first, then its memories.
  EXPECT_FALSE((*setups)[0].bandwidth_memory());
  EXPECT_TRUE((*setups)[1].port.calculated);
  EXPECT_EQ((*setups)[3].bandwidth_memory(), "lpddr4");
  EXPECT_EQ((*setups)[4].bandwidth_memory(), "hbm2");
  EXPECT_EQ((*setups)[5].machine.dataflow, Dataflow::weight_stationary);
  EXPECT_EQ((*setups)[10].machine.array, (Array{16, 16}));
}

TEST(DesignGrid, AnEmptyGridIsTheAccelerator) {
  const auto setups = setups_of({});
  ASSERT_TRUE(setups);
  ASSERT_EQ(setups->size(), 1u);
  EXPECT_EQ(setups->front().name, resolve(SetupRequest{})->name);
  DesignGrid only_bandwidth;
  only_bandwidth.bandwidths = {*parse_bandwidth("4")};
  EXPECT_EQ(setups_of(only_bandwidth)->size(), 1u) << "without the memory's bandwidth";
}

TEST(DesignGrid, ErrorsNameTheCombination) {
  DesignGrid grid;
  grid.arrays = {{8, 8}};
  grid.memories = {"hbm9"};
  EXPECT_NE(setups_of(grid).error().message.find("8x8 hbm9"), std::string::npos)
      << setups_of(grid).error().message;
}

TEST(DesignGrid, PointsEqualSingleSimulations) {
  DesignGrid grid;
  grid.arrays = {{8, 8}, {16, 8}};
  grid.bandwidths = {*parse_bandwidth("4"), *parse_bandwidth("9")};
  const auto setups = setups_of(grid);
  ASSERT_TRUE(setups);
  const auto layers = *zoo_layers("scalesim/MobileNet");
  ScheduleCache cache;
  int calls = 0;
  const auto points = simulate_points(layers, *setups, cache, [&] { ++calls; });
  ASSERT_TRUE(points) << points.error().message;
  ASSERT_EQ(points->size(), 4u);
  EXPECT_EQ(calls, 4);
  for (const DesignPoint& point : *points) {
    const auto runs = simulate(Engine::fast, layers, point.setup);
    ASSERT_TRUE(runs);
    const RunTotals totals = totals_of(*runs, point.setup.energies);
    EXPECT_EQ(point.totals.cycles, totals.cycles);
    EXPECT_EQ(point.totals.energy.total(), totals.energy.total());
    EXPECT_EQ(point.time(), duration(totals.cycles, *point.setup.clock));
  }
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(simulate_points(
                layers, *setups, cache, [] {}, stop.get_token())
                .error()
                .kind,
            Errc::cancelled);
}

TEST(Engine, BothGiveTheSameResult) {
  const auto network = *zoo_layers("scalesim/MobileNet");
  const std::vector<Layer> layers(network.begin(), network.begin() + 1);
  const auto setup = resolve({.array = Array{32, 32}, .bandwidth = *parse_bandwidth("10")});
  ASSERT_TRUE(setup) << setup.error().message;
  const auto fast = simulate(Engine::fast, layers, *setup),
             stepped = simulate(Engine::stepped, layers, *setup);
  ASSERT_TRUE(fast && stepped);
  EXPECT_EQ(fast->front().timing.total_cycles, stepped->front().timing.total_cycles);
  EXPECT_EQ(fast->front().timing.stall_cycles, stepped->front().timing.stall_cycles);
  EXPECT_EQ(name_of(Engine::fast), "fast");
  EXPECT_EQ(name_of(Engine::stepped), "stepped");
}

}  // namespace
}  // namespace ergon::systolic
