#include "meter/update_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

// Events every 100 ms, each read by polls about 20 ms apart.
UpdateGrid read_events(int count, std::optional<Seconds> nominal, Seconds period = 100_ms) {
  UpdateGrid grid(nominal);
  Random random(3);
  for (int i = 1; i <= count; ++i) {
    const Seconds bracket = 20_ms, early = bracket * random.uniform();
    grid.add(at(period * i - early + bracket / 2), bracket);
  }
  return grid;
}

TEST(UpdateGrid, NeedsSomeEvents) {
  EXPECT_FALSE(read_events(UpdateGrid::kEnough - 1, 100_ms).known());
  EXPECT_TRUE(read_events(UpdateGrid::kEnough, 100_ms).known());
}

TEST(UpdateGrid, ManyEventsAreKnownBetterThanEach) {
  const UpdateGrid grid = read_events(100, 100_ms);
  const GridTime last = grid.nearest(at(10_s));
  EXPECT_LT(std::fabs((last.at - at(10_s)).si()), 0.003);
  EXPECT_LT(last.deviation, 2_ms) << "20 ms / sqrt(12) each";
  EXPECT_GT(last.deviation, 0.2_ms);
}

TEST(UpdateGrid, FindsThePeriod) {
  EXPECT_NEAR(read_events(100, std::nullopt).period().si(), 0.1, 2e-4);
  EXPECT_NEAR(read_events(100, 100_ms, 101_ms).period().si(), 0.101, 2e-4) << "an A100 updates every 101 ms";
}

TEST(UpdateGrid, TheLastEventBeforeATime) {
  const UpdateGrid grid = read_events(100, 100_ms);
  const auto before = grid.last_before(at(9.95_s));
  ASSERT_TRUE(before);
  EXPECT_NEAR((before->at - at(9.9_s)).si(), 0, 0.003);
  EXPECT_FALSE(grid.last_before(at(9.9_s))) << "may be before or after";
}

TEST(UpdateGrid, StartsAgainWhenEventsMove) {
  UpdateGrid grid = read_events(100, 100_ms);
  grid.add(at(10.15_s), 5_ms);
  EXPECT_FALSE(grid.known());
}

}  // namespace
}  // namespace ergon::meter
