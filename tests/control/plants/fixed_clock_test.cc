#include "control/plants/fixed_clock.h"

#include <gtest/gtest.h>

#include "control/plants/small_plant.h"

namespace ergon::control {
namespace {

TEST(FixedClock, RunsAtTheHighestClock) {
  const Hertz low{500e6}, high{1e9};
  const Knobs knobs{{1, 2, 4, 16}, {low, high}};
  FixedClockPlant plant(std::make_unique<test::SmallPlant>(knobs));
  EXPECT_TRUE(plant.knobs().clocks.empty());
  EXPECT_EQ(plant.knobs().batches, knobs.batches);
  const auto feedback = plant.run({4, {}}, {}).value();
  EXPECT_EQ(feedback.point, (Point{4, {}}));
  EXPECT_EQ(feedback.power, Watts{140});
  EXPECT_EQ(plant.take_power_segments().size(), 1u);
  const FixedClockSurface slow(std::make_shared<test::SmallSurface>(), low);
  EXPECT_EQ(slow.at({4, {}}).power, Watts{120});
}

}  // namespace
}  // namespace ergon::control
