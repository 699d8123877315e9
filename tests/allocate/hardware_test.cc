#include "allocate/hardware.h"

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"

namespace ergon::allocate {
namespace {

TEST(Hardware, LevelsAreMultiplesAndTheHighest) {
  Hardware hardware = arada_hardware("hpc-tpu", 7);
  const auto clocks = clock_levels(hardware);
  ASSERT_EQ(clocks.size(), 19U);  // 50 to 900 MHz, and 940
  EXPECT_DOUBLE_EQ(clocks.front().si(), 50e6);
  EXPECT_DOUBLE_EQ(clocks[17].si(), 900e6);
  EXPECT_EQ(clocks.back(), hardware.clock);
  EXPECT_EQ(word_levels(hardware), (std::vector<double>{4, 7}));
  hardware.words_per_cycle = 8;
  EXPECT_EQ(word_levels(hardware), (std::vector<double>{4, 8}));
  hardware.words_per_cycle = 3;
  EXPECT_EQ(word_levels(hardware), (std::vector<double>{3}));
  hardware.clock_step = Hertz{2e9};
  EXPECT_EQ(clock_levels(hardware), (std::vector<Hertz>{hardware.clock}));
}

TEST(Hardware, AtLeastReturnsTheNextLevel) {
  const Hardware hardware = arada_hardware("hpc-tpu", 19);
  EXPECT_DOUBLE_EQ(clock_at_least(hardware, Hertz{1}).si(), 50e6);
  EXPECT_DOUBLE_EQ(clock_at_least(hardware, Hertz{100e6}).si(), 100e6);
  EXPECT_DOUBLE_EQ(clock_at_least(hardware, Hertz{100.001e6}).si(), 150e6);
  EXPECT_EQ(clock_at_least(hardware, Hertz{901e6}), hardware.clock);
  EXPECT_EQ(words_at_least(hardware, 0.2), 4);
  EXPECT_EQ(words_at_least(hardware, 8), 8);
  EXPECT_EQ(words_at_least(hardware, 17), 19);
  // A value that equals a level up to rounding is that level.
  EXPECT_DOUBLE_EQ(clock_at_least(hardware, Hertz{940e6 * (300.0 / 940.0)}).si(), 300e6);
}

TEST(Hardware, RejectsInvalidHardware) {
  const auto error = [](auto change) {
    Hardware hardware = arada_hardware("edge-tpu", 8);
    change(hardware);
    const auto checked = hardware.check();
    return checked ? "fine" : checked.error().message;
  };
  EXPECT_EQ(error([](Hardware&) {}), "fine");
  EXPECT_EQ(error([](Hardware& h) { h.semantics = systolic::Semantics::v3; }),
            "v3 semantics counts every stall twice and would choose clocks too low; "
            "use v2-2021, v2 or ergon");
  EXPECT_EQ(error([](Hardware& h) { h.clock_step = Hertz{0}; }),
            "clock step 0 Hz up to 500 MHz: the number of levels must be 1 to 1000");
  EXPECT_EQ(error([](Hardware& h) { h.clock_step = Hertz{1e3}; }),
            "clock step 1 kHz up to 500 MHz: the number of levels must be 1 to 1000");
  EXPECT_EQ(error([](Hardware& h) { h.word_step = 1e-6; }),
            "bandwidth step 1e-06 words/cycle up to 8: the number of levels must be 1 to 1000");
}

TEST(LayerDemand, BoundsOfLayers) {
  const Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  EXPECT_EQ(demands[1].bound, LayerBound::memory);    // 86,689 of 165,348 cycles are stalls
  EXPECT_EQ(demands[2].bound, LayerBound::balanced);  // no stalls, but it needs more than 16 words per cycle
  EXPECT_EQ(demands[25].bound, LayerBound::compute);  // Table 1 gives it 8
  EXPECT_NEAR(race_to_idle_time(demands, hardware.clock).si(), 1.94e-3, 1e-5);
}

TEST(LayerDemand, NoLayers) {
  systolic::ScheduleCache cache;
  const auto demands = demands_of({}, arada_hardware("edge-tpu", 20), cache);
  ASSERT_FALSE(demands);
  EXPECT_EQ(demands.error().message, "no layer runs on an array: expected convolutions or matrix products");
}

}  // namespace
}  // namespace ergon::allocate
