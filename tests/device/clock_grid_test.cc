#include "device/twin/clock_grid.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;

TEST(ClockGrid, CoversMinToMax) {
  const ClockGrid even(CoreClock{135_MHz, 150_MHz, 7.5_MHz});
  ASSERT_EQ(even.size(), 3u);
  EXPECT_EQ(even.at(0), 135_MHz);
  EXPECT_EQ(even.at(1), 142.5_MHz);
  EXPECT_EQ(even.at(2), 150_MHz);
  const ClockGrid uneven(CoreClock{135_MHz, 152_MHz, 7.5_MHz});
  ASSERT_EQ(uneven.size(), 4u);
  EXPECT_EQ(uneven.at(2), 150_MHz);
  EXPECT_EQ(uneven.at(3), 152_MHz);
  EXPECT_EQ(ClockGrid(CoreClock{900_MHz, 900_MHz, 15_MHz}).size(), 1u);
}

TEST(ClockGrid, RoundsDown) {
  const ClockGrid grid(CoreClock{135_MHz, 152_MHz, 7.5_MHz});
  EXPECT_EQ(grid.step_at_or_below(1_MHz), 0u);
  EXPECT_EQ(grid.step_at_or_below(142.4_MHz), 0u);
  EXPECT_EQ(grid.step_at_or_below(142.5_MHz), 1u);
  EXPECT_EQ(grid.step_at_or_below(151_MHz), 2u);
  EXPECT_EQ(grid.step_at_or_below(152_MHz), 3u);
  EXPECT_EQ(grid.step_at_or_below(1_GHz), 3u);
}

TEST(ClockGrid, EveryClockMapsToItsStep) {
  for (const std::string& name : device_names()) {
    const ClockGrid grid(find_device(name)->core);
    for (std::size_t step = 0; step < grid.size(); ++step) {
      EXPECT_EQ(grid.step_at_or_below(grid.at(step)), step) << name;
      EXPECT_TRUE(step == 0 || grid.at(step) > grid.at(step - 1)) << name;
    }
  }
}

}  // namespace
}  // namespace ergon::device
