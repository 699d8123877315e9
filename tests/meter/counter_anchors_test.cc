#include "meter/counter_anchors.h"

#include <cmath>

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

// Readings of 100 W from 0 to 10 s; from 4 to 6 s with a standard deviation of 50 J.
EnergyCurve half_blind() {
  EnergyCurve curve;
  curve.append(flat_piece(at(0_s), at(4_s), 100_W));
  PowerPiece blind = flat_piece(at(4_s), at(6_s), 100_W);
  blind.noise = JoulesSquared{2500};
  curve.append(blind);
  curve.append(flat_piece(at(6_s), at(10_s), 100_W));
  return curve;
}

class Anchored : public testing::Test {
 protected:
  void anchor(Seconds time, Joules counted, Seconds bracket = 0_s) {
    anchors.add({curve.at(at(time)).value(), bracket, counted});
  }
  EnergyBetween energy(Seconds from, Seconds to) const {
    return anchors.energy(curve.at(at(from)).value(), curve.at(at(to)).value());
  }
  std::optional<CounterAnchors::Check> check(Seconds from, Seconds to) const {
    return anchors.check(curve.at(at(from)).value(), curve.at(at(to)).value());
  }

  EnergyCurve curve = half_blind();
  CounterAnchors anchors;
};

TEST_F(Anchored, WithoutAnchorsTheReadingsAreUsed) {
  EXPECT_DOUBLE_EQ(energy(1_s, 9_s).energy.si(), 800);
  EXPECT_DOUBLE_EQ(energy(1_s, 9_s).variance.si(), 2500);
  anchor(2_s, 1000_J);
  EXPECT_DOUBLE_EQ(energy(1_s, 9_s).energy.si(), 800) << "one anchor gives no energy";
  EXPECT_FALSE(check(1_s, 9_s));
}

TEST_F(Anchored, AnExactCounterReplacesUncertainReadings) {
  anchor(2_s, 1000_J);
  anchor(8_s, 1720_J);  // 720 J; the readings give 600 J
  EXPECT_NEAR(energy(2_s, 8_s).energy.si(), 720, 1e-9);
  EXPECT_NEAR(energy(2_s, 8_s).variance.si(), 0, 1e-9) << "exact between two anchors";
  EXPECT_NEAR(energy(4_s, 6_s).energy.si(), 200 + 120, 1e-9) << "corrected where readings are uncertain";
  EXPECT_NEAR(energy(2_s, 4_s).energy.si(), 200, 1e-9) << "not corrected where readings are certain";
  EXPECT_NEAR(energy(4_s, 5_s).energy.si(), 100 + 60, 1e-9);
  EXPECT_NEAR(energy(0_s, 10_s).energy.si(), 1000 + 120, 1e-9);
}

TEST_F(Anchored, VarianceInsideAKnownSumIsThatOfABridge) {
  anchor(2_s, 1000_J);
  anchor(8_s, 1720_J);
  // A process with independent increments and a known sum: v (1 - v / V).
  EXPECT_NEAR(energy(4_s, 5_s).variance.si(), 1250 * 0.5, 1e-9);
}

TEST_F(Anchored, AWideBracketReducesTheCorrection) {
  // A bracket of 1.5 s at 100 W is a deviation of 150 / sqrt(12): a variance of 1875 at each end.
  anchor(2_s, 1000_J, 1.5_s);
  anchor(8_s, 1720_J, 1.5_s);
  const double share = 2500 / (2500 + 1875.0 + 1875.0);
  EXPECT_NEAR(energy(1_s, 9_s).energy.si(), 800 + 120 * share, 1e-9);
  EXPECT_NEAR(energy(1_s, 9_s).variance.si(), 2500 * (1 - share), 1e-9);
}

TEST_F(Anchored, CertainReadingsAreNotCorrected) {
  anchor(1_s, 1000_J);
  anchor(3_s, 9000_J);
  EXPECT_NEAR(energy(0_s, 4_s).energy.si(), 400, 1e-9);
}

TEST_F(Anchored, AnchorsOutsideTheWindowHaveNoEffect) {
  anchor(6_s, 1000_J);
  anchor(8_s, 5000_J);
  EXPECT_NEAR(energy(0_s, 6_s).energy.si(), 600, 1e-9);
}

TEST_F(Anchored, EachPairOfAnchorsIsCorrectedSeparately) {
  anchor(1_s, 1000_J);
  anchor(5_s, 1430_J);  // 30 J above the readings
  anchor(9_s, 1810_J);  // 20 J below
  EXPECT_NEAR(energy(0_s, 10_s).energy.si(), 1000 + 30 - 20, 1e-9);
  EXPECT_NEAR(energy(0_s, 5_s).energy.si(), 530, 1e-9);
  EXPECT_NEAR(energy(5_s, 10_s).energy.si(), 480, 1e-9);
}

TEST_F(Anchored, TheCheckSubtractsReadingsOutsideTheWindow) {
  anchor(1_s, 1000_J);
  anchor(9_s, 1900_J);
  const auto found = check(2_s, 7_s);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->integrated.si(), 500, 1e-9);
  EXPECT_NEAR(found->counted.si(), 900 - 100 - 200, 1e-9);
  EXPECT_NEAR(found->uncertainty.si(), 50, 1e-9);
}

TEST_F(Anchored, TheCheckUsesTheNearestAnchors) {
  anchor(0.5_s, 900_J);
  anchor(2_s, 1000_J, 0.06_s);
  anchor(5_s, 9999_J);
  anchor(7_s, 1600_J, 0.06_s);
  anchor(9_s, 5000_J);
  const auto found = check(2_s, 7_s);
  ASSERT_TRUE(found) << "anchors at the ends of the window count";
  EXPECT_NEAR(found->counted.si(), 600, 1e-9);
  EXPECT_NEAR(found->uncertainty.si(), std::sqrt(2500 + 2 * 36 / 12.0), 1e-9) << "6 J to each bracket";
}

TEST_F(Anchored, TheCheckNeedsAnAnchorOnEachSide) {
  anchor(2_s, 1000_J);
  anchor(8_s, 1600_J);
  EXPECT_FALSE(check(1_s, 5_s));
  EXPECT_FALSE(check(5_s, 9_s));
  EXPECT_TRUE(check(3_s, 5_s));
}

TEST_F(Anchored, ForgetsOnlyAnchorsThatAreNotNeeded) {
  for (int i = 1; i <= 9; ++i) anchor(1_s * i, 1000_J + 100_J * i);
  const EnergyBetween before = energy(5.5_s, 8_s);
  anchors.forget_before(at(5.5_s));
  EXPECT_EQ(anchors.all().size(), 5U) << "includes the anchor before";
  EXPECT_EQ(anchors.all().front().point.at, at(5_s));
  EXPECT_EQ(energy(5.5_s, 8_s).energy, before.energy);
  EXPECT_TRUE(check(5.5_s, 8_s));
  anchors.forget_before(at(100_s));
  EXPECT_EQ(anchors.all().size(), 1U) << "the last anchor stays";
}

TEST_F(Anchored, AnEmptyWindowStaysEmpty) {
  anchor(2_s, 1000_J);
  anchor(8_s, 1720_J);
  EXPECT_NEAR(energy(5_s, 5_s).energy.si(), 0, 1e-12);
}

}  // namespace
}  // namespace ergon::meter
