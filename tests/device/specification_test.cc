#include "device/twin/specification.h"

#include <gtest/gtest.h>

namespace ergon::device {
namespace {

using namespace literals;

TEST(VoltageLine, IsFlatBelowTheKneeAndRisesAboveIt) {
  const VoltageLine line{1000_MHz, 1.3};
  EXPECT_EQ(line.at(400_MHz, 1500_MHz), 1);
  EXPECT_EQ(line.at(1000_MHz, 1500_MHz), 1);
  EXPECT_NEAR(line.at(1250_MHz, 1500_MHz), 1.15, 1e-12);
  EXPECT_NEAR(line.at(1500_MHz, 1500_MHz), 1.3, 1e-12);
}

TEST(BandwidthCurve, RunsThroughItsPointsAndIsFlatOutside) {
  const BandwidthCurve curve{{{700_MHz, 0.6}, {900_MHz, 1.0}}};
  EXPECT_EQ(curve.at(500_MHz), 0.6);
  EXPECT_NEAR(curve.at(800_MHz), 0.8, 1e-12);
  EXPECT_EQ(curve.at(900_MHz), 1.0);
  EXPECT_EQ(curve.at(1400_MHz), 1.0);
}

}  // namespace
}  // namespace ergon::device
