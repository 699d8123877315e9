#include "sweep/plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/statistics/correlation.h"

namespace ergon::sweep {
namespace {

Grid some_grid() {
  Grid grid;
  grid.networks = {"a", "b", "c"};
  for (int i = 0; i < 50; ++i) grid.clocks.emplace_back(Hertz{1e8 * (i + 1)});
  grid.repetitions = 3;
  grid.batch = 4;
  grid.scenario = Scenario::execution;
  return grid;
}

TEST(Plan, HasEveryRunOnce) {
  const auto runs = plan(some_grid(), 1);
  EXPECT_EQ(runs.size(), 450U);
  EXPECT_EQ(std::set<sweep::Run>(runs.begin(), runs.end()).size(), 450U);
  for (const sweep::Run& run : runs) {
    EXPECT_EQ(run.batch, 4);
    EXPECT_EQ(run.scenario, Scenario::execution);
  }
}

TEST(Plan, TheOrderDependsOnTheSeedOnly) {
  EXPECT_EQ(plan(some_grid(), 7), plan(some_grid(), 7));
  EXPECT_NE(plan(some_grid(), 7), plan(some_grid(), 8));
}

// A faulty shuffle cannot produce every order.
TEST(Plan, EveryOrderIsPossible) {
  Grid grid;
  grid.networks = {"a", "b", "c"};
  grid.clocks = {std::nullopt};
  std::set<std::vector<sweep::Run>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) orders.insert(plan(grid, seed));
  EXPECT_EQ(orders.size(), 6U);
}

// A drift over time must not look like an effect of the clock, the network or the repetition.
TEST(Plan, TheOrderIsUncorrelatedWithTheRuns) {
  const auto runs = plan(some_grid(), 3);
  std::vector<double> place, clock, network, repetition;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    place.push_back(static_cast<double>(i));
    clock.push_back(runs[i].clock->si());
    network.push_back(static_cast<double>(runs[i].network[0]));
    repetition.push_back(static_cast<double>(runs[i].repetition));
  }
  // Four standard deviations of a correlation of 450 pairs.
  const double chance = 4 / std::sqrt(450.0);
  for (const auto& other : {clock, network, repetition})
    EXPECT_LT(std::fabs(*statistics::pearson(place, other)), chance);
}

}  // namespace
}  // namespace ergon::sweep
