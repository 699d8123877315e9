#include "calibrate/anchored.h"

#include <gtest/gtest.h>

#include "device/twin/catalog.h"

namespace ergon::calibrate {
namespace {

using namespace literals;

device::Specification gpu() { return device::find_device("v100").value(); }

Application program(double busy, double memory) {
  Application application{"v100", "made up", "program", {}};
  for (const double mhz : {510.0, 705.0, 945.0, 1200.0, 1380.0})
    application.points.push_back({Hertz{mhz * 1e6}, 1_s, 150_W, busy, memory});
  return application;
}

TEST(Anchored, ReproducesTheAnchorExactly) {
  const auto expected = anchored(program(1, 0.4), 2, gpu());
  EXPECT_NEAR(expected[2].time, 1, 1e-9);
  EXPECT_NEAR(expected[2].power.si(), 150, 0.01);
}

TEST(Anchored, ComputeTimeScalesWithTheClock) {
  const auto expected = anchored(program(1, 0), 2, gpu());
  EXPECT_NEAR(expected[0].time, 945.0 / 510, 1e-6);
  EXPECT_NEAR(expected[4].time, 945.0 / 1380, 1e-6);
}

TEST(Anchored, MemoryTimeScalesWithTheBandwidth) {
  const device::Specification v100 = gpu();
  const auto expected = anchored(program(1, 1), 2, v100);
  EXPECT_NEAR(expected[4].time, v100.memory.over_clock.at(945_MHz) / v100.memory.over_clock.at(1380_MHz),
              0.06);
}

TEST(Anchored, HostTimeDoesNotDependOnTheClock) {
  const auto expected = anchored(program(0, 0), 2, gpu());
  for (const AnchoredPrediction& each : expected) EXPECT_NEAR(each.time, 1, 1e-9);
}

TEST(Anchored, PowerRisesWithTheClockAndFasterAboveTheKnee) {
  const auto expected = anchored(program(1, 0.1), 2, gpu());
  for (std::size_t i = 1; i < expected.size(); ++i) EXPECT_GT(expected[i].power, expected[i - 1].power);
  const double below = (expected[2].power - expected[1].power).si() / (945 - 705);
  const double above = (expected[4].power - expected[3].power).si() / (1380 - 1200);
  EXPECT_GT(above, 1.5 * below);
}

}  // namespace
}  // namespace ergon::calibrate
