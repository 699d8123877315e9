#include <optional>

#include <gtest/gtest.h>

#include "device/nvml/application_clock_gpu.h"
#include "device/nvml/application_clocks.h"

namespace ergon::device::nvml {
namespace {

using namespace ergon::literals;
using Old = test::ApplicationClockGpu;
using Clocks = std::pair<unsigned, unsigned>;

std::optional<ClockRange> at(Hertz clock) { return ClockRange{clock, clock}; }

TEST(NvmlApplicationClocks, SetsTheHighestClockOfARangeAndReadsItBack) {
  const Gpu gpu = Old::made_new();
  ApplicationClocks clocks(gpu);
  EXPECT_EQ(*clocks.read(ClockDomain::core), ControlValue{});
  ASSERT_TRUE(clocks.write(ClockDomain::core, ClockRange{544_MHz, 810_MHz}));
  EXPECT_EQ(Old::now, (Clocks{3615, 810}));
  EXPECT_EQ(clocks.read(ClockDomain::core)->clocks, at(810_MHz));
  EXPECT_EQ(clocks.read(ClockDomain::memory)->clocks, std::nullopt);
  ASSERT_TRUE(clocks.write(ClockDomain::core, {}));
  EXPECT_EQ(Old::now, Old::kDefault);
}

TEST(NvmlApplicationClocks, ADefaultCoreClockFollowsTheMemoryClock) {
  const Gpu gpu = Old::made_new();
  ApplicationClocks clocks(gpu);
  ASSERT_TRUE(clocks.write(ClockDomain::memory, at(405_MHz)));
  EXPECT_EQ(Old::now, (Clocks{405, 405}));
  EXPECT_EQ(clocks.read(ClockDomain::core)->clocks, std::nullopt);
  ASSERT_TRUE(clocks.write(ClockDomain::memory, at(810_MHz)));
  EXPECT_EQ(Old::now, (Clocks{810, 810}));
  ASSERT_TRUE(clocks.write(ClockDomain::memory, {}));
  EXPECT_EQ(Old::now, Old::kDefault);
}

TEST(NvmlApplicationClocks, ARequestedCoreClockReturnsWhenTheMemoryClockAllows) {
  const Gpu gpu = Old::made_new();
  ApplicationClocks clocks(gpu);
  ASSERT_TRUE(clocks.write(ClockDomain::core, at(600_MHz)));
  ASSERT_TRUE(clocks.write(ClockDomain::memory, at(810_MHz)));
  EXPECT_EQ(Old::now, (Clocks{810, 600}));
  ASSERT_TRUE(clocks.write(ClockDomain::memory, at(405_MHz)));
  EXPECT_EQ(Old::now, (Clocks{405, 405}));
  EXPECT_EQ(clocks.read(ClockDomain::core)->clocks, at(600_MHz));
  ASSERT_TRUE(clocks.write(ClockDomain::memory, {}));
  EXPECT_EQ(Old::now, (Clocks{3615, 600}));
}

TEST(NvmlApplicationClocks, ReadsClocksSetByAnotherProgram) {
  const Gpu gpu = Old::made_new();
  ApplicationClocks clocks(gpu);
  ASSERT_TRUE(clocks.write(ClockDomain::core, at(600_MHz)));
  Old::now = {3615, 1531};
  EXPECT_EQ(clocks.read(ClockDomain::core)->clocks, at(1531_MHz));
  Old::now = {405, 405};  // the only core clock at this memory clock, so it was not requested
  EXPECT_EQ(clocks.read(ClockDomain::core)->clocks, std::nullopt);
  EXPECT_EQ(clocks.read(ClockDomain::memory)->clocks, at(405_MHz));
  ASSERT_TRUE(clocks.write(ClockDomain::memory, {}));
  EXPECT_EQ(Old::now, Old::kDefault);
}

TEST(NvmlApplicationClocks, RejectsUnsupportedClocksAndNamesTheNearest) {
  const Gpu gpu = Old::made_new();
  ApplicationClocks clocks(gpu);
  EXPECT_EQ(
      clocks.write(ClockDomain::core, at(700_MHz)).error().message,
      "gpu0 (an old GPU) at memory clock 3615 MHz has no core clock of 700 MHz; the nearest are 600 MHz "
      "and 810 MHz");
  EXPECT_EQ(clocks.write(ClockDomain::memory, at(5000_MHz)).error().message,
            "gpu0 (an old GPU) has no memory clock of 5000 MHz; the highest is 3615 MHz");
  EXPECT_EQ(Old::writes, 0);
}

}  // namespace
}  // namespace ergon::device::nvml
