// A uniformly distributed jump, compared with the sum over a few thousand jump times.

#include "meter/power_piece.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

struct Moments {
  double mean = 0, variance = 0;
};

Moments by_trying_every_jump(const PowerPiece& piece, Instant from, Instant to) {
  constexpr int kPlaces = 4000;
  Moments moments;
  double squares = 0;
  for (int i = 0; i < kPlaces; ++i) {
    const double share = (i + 0.5) / kPlaces;
    const double jump = (piece.jump_earliest - from).si() +
                        (piece.jump_latest - piece.jump_earliest).si() * share;  // seconds after `from`
    const double length = (to - from).si();
    const double after = std::clamp(length - jump, 0.0, length);
    const double energy = piece.before.si() * (length - after) + piece.after.si() * after;
    moments.mean += energy / kPlaces;
    squares += energy * energy / kPlaces;
  }
  moments.variance = squares - moments.mean * moments.mean;
  return moments;
}

Instant any_between(Random& random, Instant low, Instant high) {
  return {low.ns + static_cast<std::int64_t>(random.uniform() * static_cast<double>(high.ns - low.ns))};
}

PowerPiece any_piece(Random& random) {
  PowerPiece piece;
  piece.begin = {static_cast<std::int64_t>(random.below(1'000'000'000'000))};
  piece.end = piece.begin + Seconds{0.001 + random.uniform()};
  piece.before = Watts{500 * random.uniform()};
  piece.after = Watts{500 * random.uniform()};
  piece.jump_earliest = any_between(random, piece.begin, piece.end);
  piece.jump_latest = any_between(random, piece.jump_earliest, piece.end);
  return piece;
}

TEST(PowerPiece, EnergyIsTheMeanOverAllJumpTimes) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const PowerPiece piece = any_piece(random);
    const Instant from = any_between(random, piece.begin, piece.end);
    const Instant to = any_between(random, from, piece.end);
    for (const auto& [begin, end] :
         {std::pair{from, to}, {piece.begin, to}, {from, piece.end}, {piece.begin, piece.end}}) {
      const Moments expected = by_trying_every_jump(piece, begin, end);
      const double scale = 500 * (piece.end - piece.begin).si();
      EXPECT_NEAR(piece.energy(begin, end).si(), expected.mean, 1e-6 * scale);
      EXPECT_NEAR(piece.variance(begin, end).si(), expected.variance, 1e-6 * scale * scale);
    }
  }
}

TEST(PowerPiece, AJumpAnywhereFromEndToEndIsATriangle) {
  const PowerPiece piece{at(1_s), at(2_s), 100_W, 300_W, at(1_s), at(2_s), {}, {}};
  EXPECT_NEAR(piece.energy(at(1_s), at(2_s)).si(), 200, 1e-9);
  EXPECT_NEAR(piece.energy(at(1_s), at(1.5_s)).si(), 50 + 200 * 0.125, 1e-9);
  EXPECT_NEAR(piece.variance(at(1_s), at(2_s)).si(), 200.0 * 200 / 12, 1e-6);
}

TEST(PowerPiece, EnergyIsAdditive) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const PowerPiece piece = any_piece(random);
    const Instant cut = any_between(random, piece.begin, piece.end);
    const Joules parts = piece.energy(piece.begin, cut) + piece.energy(cut, piece.end);
    const Joules whole = piece.energy(piece.begin, piece.end);
    ASSERT_NEAR(parts.si(), whole.si(), 1e-12 * (1 + whole.si()));
  }
}

TEST(PowerPiece, VarianceIsNeverNegativeAndNeverFallsAsTheTimeGrows) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const PowerPiece piece = any_piece(random);
    double last = 0;
    for (int step = 0; step <= 20; ++step) {
      const Instant to = piece.begin + (piece.end - piece.begin) * (step / 20.0);
      const double variance = piece.variance(piece.begin, std::min(to, piece.end)).si();
      ASSERT_GE(variance, last - 1e-9);
      last = variance;
    }
  }
}

TEST(PowerPiece, NoiseIsProportionalToTime) {
  PowerPiece piece = flat_piece(at(0_s), at(4_s), 100_W);
  piece.noise = JoulesSquared{36};
  EXPECT_DOUBLE_EQ(piece.variance(at(0_s), at(4_s)).si(), 36);
  EXPECT_DOUBLE_EQ(piece.variance(at(1_s), at(2_s)).si(), 9);
  EXPECT_DOUBLE_EQ(piece.variance(at(2_s), at(2_s)).si(), 0);
}

TEST(PowerPiece, AFlatPieceHasNoVariance) {
  const PowerPiece piece = flat_piece(at(1_s), at(3_s), 250_W);
  EXPECT_DOUBLE_EQ(piece.energy(at(1.5_s), at(2.5_s)).si(), 250);
  EXPECT_DOUBLE_EQ(piece.variance(at(1_s), at(3_s)).si(), 0);
  EXPECT_EQ(piece.power_at(at(2_s)), 250_W);
  EXPECT_EQ(piece.highest(at(1_s), at(3_s)), 250_W);
}

TEST(PowerPiece, AJumpAtAKnownTimeHasNoVariance) {
  const PowerPiece piece{at(0_s), at(1_s), 100_W, 200_W, at(0.25_s), at(0.25_s), {}, {}};
  EXPECT_NEAR(piece.energy(at(0_s), at(1_s)).si(), 25 + 150, 1e-9);
  EXPECT_NEAR(piece.energy(at(0_s), at(0.25_s)).si(), 25, 1e-9);
  EXPECT_NEAR(piece.energy(at(0.25_s), at(1_s)).si(), 150, 1e-9);
  EXPECT_DOUBLE_EQ(piece.variance(at(0_s), at(1_s)).si(), 0);
  EXPECT_EQ(piece.power_at(at(0.2_s)), 100_W);
  EXPECT_EQ(piece.power_at(at(0.25_s)), 200_W);
}

TEST(PowerPiece, AnEmptyPieceHasNoEnergyAndNoVariance) {
  PowerPiece piece{at(1_s), at(1_s), 100_W, 200_W, at(1_s), at(1_s), {}, {}};
  piece.noise = JoulesSquared{5};
  EXPECT_EQ(piece.energy(at(1_s), at(1_s)), 0_J);
  EXPECT_DOUBLE_EQ(piece.variance(at(1_s), at(1_s)).si(), 0);
}

TEST(PowerPiece, TheHighestPowerIsBeforeAFallAndAfterARise) {
  const PowerPiece fall{at(0_s), at(1_s), 300_W, 100_W, at(0.4_s), at(0.6_s), {}, {}};
  const PowerPiece rise{at(0_s), at(1_s), 100_W, 300_W, at(0.4_s), at(0.6_s), {}, {}};
  EXPECT_EQ(fall.highest(at(0_s), at(1_s)), 300_W);
  EXPECT_EQ(fall.highest(at(0.7_s), at(1_s)), 100_W);
  EXPECT_EQ(rise.highest(at(0_s), at(1_s)), 300_W);
  EXPECT_EQ(rise.highest(at(0_s), at(0.3_s)), 100_W);
  EXPECT_EQ(rise.highest(at(-5_s), at(0.3_s)), 100_W) << "the span may extend beyond the piece";
  EXPECT_NEAR(rise.power_at(at(0.5_s)).si(), 200, 1e-6);
}

TEST(PowerPiece, TheRootOfANegativeVarianceIsZero) {
  EXPECT_EQ(root(JoulesSquared{9}), 3_J);
  EXPECT_EQ(root(JoulesSquared{-1e-12}), 0_J) << "what rounding leaves below 0 is 0";
}

}  // namespace
}  // namespace ergon::meter
