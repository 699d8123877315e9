#include "meter/energy_curve.h"

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

PowerPiece noisy(Seconds begin, Seconds end, Watts power, double variance) {
  PowerPiece piece = flat_piece(at(begin), at(end), power);
  piece.noise = JoulesSquared{variance};
  return piece;
}

EnergyCurve three_pieces() {
  EnergyCurve curve;
  curve.append(noisy(1_s, 2_s, 100_W, 4));
  curve.append(noisy(2_s, 4_s, 200_W, 8));
  curve.append(noisy(4_s, 5_s, 50_W, 2));
  return curve;
}

EnergyBetween between(const EnergyCurve& curve, Seconds from, Seconds to) {
  return meter::between(curve.at(at(from)).value(), curve.at(at(to)).value());
}

TEST(EnergyCurve, IsEmptyAtFirst) {
  const EnergyCurve curve;
  EXPECT_FALSE(curve.begin());
  EXPECT_FALSE(curve.end());
  EXPECT_FALSE(curve.at(at(0_s)));
}

TEST(EnergyCurve, ExtendsFromItsFirstToItsLastPiece) {
  const EnergyCurve curve = three_pieces();
  EXPECT_EQ(curve.begin(), at(1_s));
  EXPECT_EQ(curve.end(), at(5_s));
  EXPECT_FALSE(curve.at(at(0.999_s)));
  EXPECT_TRUE(curve.at(at(1_s)));
  EXPECT_TRUE(curve.at(at(5_s)));
  EXPECT_FALSE(curve.at(at(5.001_s)));
}

TEST(EnergyCurve, SumsItsPieces) {
  const EnergyCurve curve = three_pieces();
  EXPECT_DOUBLE_EQ(between(curve, 1_s, 5_s).energy.si(), 550);
  EXPECT_DOUBLE_EQ(between(curve, 1_s, 5_s).variance.si(), 14);
  EXPECT_DOUBLE_EQ(between(curve, 1.5_s, 3_s).energy.si(), 250);
  EXPECT_DOUBLE_EQ(between(curve, 1.5_s, 3_s).variance.si(), 2 + 4);
  EXPECT_DOUBLE_EQ(between(curve, 2.5_s, 3_s).energy.si(), 100);
  EXPECT_DOUBLE_EQ(between(curve, 2.5_s, 3_s).variance.si(), 2);
  EXPECT_EQ(between(curve, 3_s, 3_s).energy, 0_J);
}

TEST(EnergyCurve, ABoundaryGivesTheSameEnergyFromEitherPiece) {
  EnergyCurve curve;
  curve.append(noisy(1_s, 2_s, 100_W, 4));
  const CurvePoint early = curve.at(at(2_s)).value();
  curve.append(noisy(2_s, 4_s, 200_W, 8));
  const CurvePoint late = curve.at(at(2_s)).value();
  EXPECT_EQ(early.energy(), late.energy());
  EXPECT_DOUBLE_EQ(early.variance().si(), late.variance().si());
  const CurvePoint end = curve.at(at(4_s)).value();
  EXPECT_EQ(meter::between(early, end).energy, meter::between(late, end).energy);
  EXPECT_DOUBLE_EQ(meter::between(early, end).variance.si(), meter::between(late, end).variance.si());
}

TEST(EnergyCurve, ACutInsideAPieceAddsItsSplitVariance) {
  EnergyCurve curve;
  PowerPiece piece = noisy(0_s, 2_s, 100_W, 0);
  piece.split = JoulesSquared{25};
  curve.append(noisy(-1_s, 0_s, 100_W, 0));
  curve.append(piece);
  curve.append(noisy(2_s, 3_s, 100_W, 0));
  EXPECT_DOUBLE_EQ(between(curve, -0.5_s, 1_s).variance.si(), 25);
  EXPECT_DOUBLE_EQ(between(curve, -0.5_s, 2.5_s).variance.si(), 0) << "no variance over the whole piece";
}

TEST(EnergyCurve, AGapIsAJumpAtAnUnknownTime) {
  EnergyCurve curve;
  curve.append(noisy(0_s, 1_s, 100_W, 0));
  curve.append(noisy(2_s, 3_s, 300_W, 0));
  const EnergyBetween hole = between(curve, 1_s, 2_s);
  EXPECT_NEAR(hole.energy.si(), 200, 1e-9);
  EXPECT_NEAR(hole.variance.si(), 200.0 * 200 / 12, 1e-6);
  EXPECT_EQ(curve.kept(), 3U);
}

TEST(EnergyCurve, OverlappingPiecesCountOnce) {
  EnergyCurve curve;
  curve.append(noisy(0_s, 2_s, 100_W, 0));
  curve.append(noisy(1_s, 2_s, 900_W, 0));  // completely covered
  curve.append(noisy(1_s, 3_s, 200_W, 0));  // half covered
  EXPECT_DOUBLE_EQ(between(curve, 0_s, 3_s).energy.si(), 400);
  EXPECT_EQ(curve.end(), at(3_s));
}

TEST(EnergyCurve, ForgetsOnlyPiecesBeforeTheGivenTime) {
  EnergyCurve curve = three_pieces();
  const Joules before = between(curve, 3_s, 5_s).energy;
  curve.forget_before(at(3_s));
  EXPECT_EQ(curve.kept(), 2U);
  EXPECT_FALSE(curve.at(at(1.5_s)));
  ASSERT_TRUE(curve.at(at(3_s)));
  EXPECT_EQ(between(curve, 3_s, 5_s).energy, before);
}

TEST(EnergyCurve, APointStaysUsableAfterForgetting) {
  EnergyCurve curve = three_pieces();
  const CurvePoint from = curve.at(at(1.5_s)).value();
  curve.forget_before(at(4.5_s));
  EXPECT_DOUBLE_EQ(meter::between(from, curve.at(at(5_s)).value()).energy.si(), 500);
}

TEST(EnergyCurve, KeepsItsEndAfterForgetting) {
  EnergyCurve curve = three_pieces();
  curve.forget_before(at(100_s));
  EXPECT_EQ(curve.kept(), 1U);
  EXPECT_EQ(curve.end(), at(5_s));
  curve.append(noisy(5_s, 6_s, 10_W, 0));
  EXPECT_DOUBLE_EQ(between(curve, 5_s, 6_s).energy.si(), 10);
}

TEST(EnergyCurveDeathTest, AnEndBeforeTheStartViolatesTheContract) {
  const EnergyCurve curve = three_pieces();
  EXPECT_DEATH((void)between(curve, 3_s, 2_s), "broken contract");
}

}  // namespace
}  // namespace ergon::meter
