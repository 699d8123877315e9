// A synthetic sensor that samples the last part of every period of a power with jumps, and the pieces that
// result from its readings.

#include "meter/piece_builder.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "meter/at.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

// Power with jumps at given times.
struct Truth {
  Watts first;
  std::vector<std::pair<Seconds, Watts>> jumps;

  Joules energy(Seconds from, Seconds to) const {
    Joules sum;
    Watts power = first;
    Seconds since = from;
    for (const auto& [when, next] : jumps) {
      const Seconds until = std::clamp(when, from, to);
      sum += power * (until - since);
      since = until;
      power = next;
    }
    return sum + power * (to - since);
  }
};

struct Sensor {
  Seconds period = 100_ms, window = 25_ms;
};

std::vector<PowerPiece> pieces_of(const Truth& truth, const Sensor& sensor,
                                  const std::vector<WindowEdge>& edges = {}, int updates = 20,
                                  Watts swing = 0_W) {
  PieceBuilder builder(swing);
  std::vector<PowerPiece> pieces;
  for (int i = 1; i <= updates; ++i) {
    const Seconds end = sensor.period * i;
    const Watts power = truth.energy(end - sensor.window, end) / sensor.window;
    for (const PowerPiece& piece : builder.add({at(end), 0_s, power, sensor.window, {}, {}}, edges)) {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

// Energy of a span, which the pieces must cover.
Joules told(const std::vector<PowerPiece>& pieces, Seconds from, Seconds to) {
  Joules sum;
  Seconds covered;
  for (const PowerPiece& piece : pieces) {
    const Instant begin = std::max(piece.begin, at(from)), end = std::min(piece.end, at(to));
    if (begin >= end) continue;
    sum += piece.energy(begin, end);
    covered += end - begin;
  }
  EXPECT_NEAR(covered.si(), (to - from).si(), 1e-9);
  return sum;
}

const PowerPiece& piece_with(const std::vector<PowerPiece>& pieces, Seconds moment) {
  const auto found = std::find_if(pieces.begin(), pieces.end(), [&](const PowerPiece& piece) {
    return piece.begin <= at(moment) && at(moment) < piece.end;
  });
  EXPECT_NE(found, pieces.end());
  return *found;
}

TEST(PieceBuilder, APieceIsFinalAfterTheNextUpdate) {
  PieceBuilder builder(0_W);
  EXPECT_TRUE(builder.add({at(100_ms), 0_s, 50_W, 25_ms, {}, {}}, {}).empty());
  EXPECT_TRUE(builder.add({at(200_ms), 0_s, 50_W, 25_ms, {}, {}}, {}).empty());
  const auto pieces = builder.add({at(300_ms), 0_s, 50_W, 25_ms, {}, {}}, {});
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces.front().begin, at(100_ms));
  EXPECT_EQ(pieces.front().end, at(175_ms)) << "unsampled time";
  EXPECT_EQ(pieces.back().begin, at(175_ms));
  EXPECT_EQ(pieces.back().end, at(200_ms));
}

TEST(PieceBuilder, SteadyPowerIsFlatAndCertain) {
  const auto pieces = pieces_of({150_W, {}}, {});
  EXPECT_NEAR(told(pieces, 0.1_s, 1.9_s).si(), 150 * 1.8, 1e-9);
  for (const PowerPiece& piece : pieces) {
    EXPECT_NEAR(piece.before.si(), 150, 1e-9);
    EXPECT_NEAR(piece.after.si(), 150, 1e-9);
    EXPECT_NEAR(piece.variance(piece.begin, piece.end).si(), 0, 1e-12);
  }
}

class JumpInside : public testing::TestWithParam<std::tuple<double, double, double>> {};

// A jump inside an averaging window shows in the mean and is located to the nanosecond.
TEST_P(JumpInside, IsFoundAtItsTime) {
  const auto [before, after, share] = GetParam();
  const Sensor sensor;
  const Seconds jump = 1_s - sensor.window * (1 - share);
  const Truth truth{Watts{before}, {{jump, Watts{after}}}};
  const auto pieces = pieces_of(truth, sensor);
  const PowerPiece& piece = piece_with(pieces, 0.99_s);
  EXPECT_NEAR((piece.jump_earliest - at(jump)).si(), 0, 1e-8);
  EXPECT_NEAR((piece.jump_latest - at(jump)).si(), 0, 1e-8);
  EXPECT_NEAR(piece.before.si(), before, 1e-9);
  EXPECT_NEAR(piece.after.si(), after, 1e-9);
  EXPECT_NEAR(told(pieces, 0.1_s, 1.9_s).si(), truth.energy(0.1_s, 1.9_s).si(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(RisesAndFalls, JumpInside,
                         testing::Combine(testing::Values(50.0, 300.0), testing::Values(150.0, 400.0),
                                          testing::Values(0.1, 0.5, 0.9)));

TEST(PieceBuilder, AnUnobservedJumpHasBounds) {
  for (const Seconds jump : {0.905_s, 0.93_s, 0.97_s}) {  // the sensor samples from 0.975 s on
    const auto pieces = pieces_of({50_W, {{jump, 300_W}}}, {});
    const PowerPiece& piece = piece_with(pieces, jump);
    EXPECT_EQ(piece.jump_earliest, at(0.9_s));
    EXPECT_EQ(piece.jump_latest, at(0.975_s));
    EXPECT_NEAR(piece.before.si(), 50, 1e-9);
    EXPECT_NEAR(piece.after.si(), 300, 1e-9);
    const double of_the_jump = 250 * 0.075 * 250 * 0.075 / 12;
    EXPECT_NEAR((piece.variance(piece.begin, piece.end) - piece.noise).si(), of_the_jump, 1e-6);
    EXPECT_LT(piece.noise.si(), of_the_jump) << "possibly more than one jump";
  }
}

// Power may rise and return while the sensor does not sample. The variance grows with the rate of observed
// jumps.
TEST(PieceBuilder, UnsampledTimeAddsVariance) {
  const auto unsure = [](const Truth& truth) {
    const auto pieces = pieces_of(truth, {}, {}, 40, 100_W);
    const PowerPiece& piece = piece_with(pieces, 3.83_s);
    EXPECT_NEAR(piece.before.si(), piece.after.si(), 1e-9);
    return piece.variance(piece.begin, piece.end).si();
  };
  Truth restless{100_W, {}};
  for (int i = 1; i <= 30; ++i) restless.jumps.emplace_back(0.1_s * i + 0.03_s, i % 2 == 0 ? 100_W : 200_W);
  const double calm = unsure({100_W, {}});
  EXPECT_GT(calm, 0);
  EXPECT_LT(calm, 100 * 0.075 * 100 * 0.075) << "less than the full swing";
  EXPECT_GT(unsure(restless), 2 * calm);
}

TEST(PieceBuilder, ContinuousSamplingAddsNoVariance) {
  const Truth truth{60_W, {{0.53_s, 250_W}, {1.27_s, 90_W}}};
  const auto pieces = pieces_of(truth, {100_ms, 100_ms}, {}, 20, 100_W);
  EXPECT_NEAR(told(pieces, 0.1_s, 1.9_s).si(), truth.energy(0.1_s, 1.9_s).si(), 1e-6);
}

// A window that opens when work begins contains all of it.
TEST(PieceBuilder, AnEdgeInsideAnAveragingWindowMovesEnergyInside) {
  const Sensor looking_always{100_ms, 100_ms};
  const Seconds opens = 0.96_s, closes = 1.03_s;
  const Truth pulse{50_W, {{opens, 300_W}, {closes, 50_W}}};
  const auto pieces = pieces_of(pulse, looking_always, {{at(opens), true}, {at(closes), false}}, 20, 300_W);
  EXPECT_NEAR(told(pieces, opens, closes).si(), 300 * 0.07, 1e-6);
  EXPECT_NEAR(told(pieces, 0.1_s, opens).si(), 50 * 0.86, 1e-6);
  EXPECT_NEAR(told(pieces, closes, 1.9_s).si(), 50 * 0.87, 1e-6);
}

TEST(PieceBuilder, WithoutEdgesAPulseIsSpreadOverTheWindow) {
  const Truth pulse{50_W, {{0.96_s, 300_W}, {1.03_s, 50_W}}};
  const auto pieces = pieces_of(pulse, {100_ms, 100_ms});
  EXPECT_LT(told(pieces, 0.96_s, 1.03_s).si(), 0.9 * 300 * 0.07);
  EXPECT_NEAR(told(pieces, 0.1_s, 1.9_s).si(), pulse.energy(0.1_s, 1.9_s).si(), 1e-6);
}

TEST(PieceBuilder, AnEdgeBoundsAnUnobservedJump) {
  const Truth rise{50_W, {{0.94_s, 300_W}}}, fall{300_W, {{0.94_s, 50_W}}};
  const PowerPiece opened = piece_with(pieces_of(rise, {}, {{at(0.94_s), true}}), 0.95_s);
  EXPECT_EQ(opened.jump_earliest, at(0.94_s)) << "work begins after the window opens";
  EXPECT_LT(opened.jump_latest, at(0.975_s)) << "and soon";
  const PowerPiece closed = piece_with(pieces_of(fall, {}, {{at(0.94_s), false}}), 0.95_s);
  EXPECT_EQ(closed.jump_latest, at(0.94_s)) << "work ends before the window closes";
  EXPECT_GT(closed.jump_earliest, at(0.9_s));
}

TEST(PieceBuilder, AnOpeningEdgeDoesNotBoundAFall) {
  const Truth rise{50_W, {{0.94_s, 300_W}}};
  const PowerPiece piece = piece_with(pieces_of(rise, {}, {{at(0.93_s), false}}), 0.95_s);
  EXPECT_EQ(piece.jump_earliest, at(0.9_s));
  EXPECT_EQ(piece.jump_latest, at(0.975_s));
}

TEST(PieceBuilder, AContradictingEdgeDoesNotMoveTheJump) {
  // By the reading the jump was at 0.985 s; a window that opens at 0.98 s is consistent and changes nothing.
  const Truth rise{50_W, {{0.985_s, 300_W}}};
  const PowerPiece piece = piece_with(pieces_of(rise, {}, {{at(0.98_s), true}}), 0.99_s);
  EXPECT_NEAR((piece.jump_earliest - at(0.985_s)).si(), 0, 1e-8);
}

// A window opens during other work, just before the end of the averaging window. Moving all energy inside
// would need megawatts for microseconds, which is implausible.
TEST(PieceBuilder, EnergyIsNotConcentratedBeyondPlausiblePower) {
  const Truth rise{50_W, {{0.905_s, 300_W}}};
  const auto pieces = pieces_of(rise, {100_ms, 100_ms}, {{at(0.99999_s), true}}, 20, 300_W);
  for (const PowerPiece& piece : pieces) {
    EXPECT_LE(std::max(piece.before, piece.after), 700_W);
  }
}

TEST(PieceBuilder, TheTimeOfAnUpdateAddsVarianceWherePowerChanges) {
  PieceBuilder builder(0_W);
  std::vector<PowerPiece> pieces;
  const auto add = [&](int i, Watts power) {
    for (const PowerPiece& piece : builder.add({at(100_ms * i), 20_ms, power, 100_ms, {}, {}}, {})) {
      pieces.push_back(piece);
    }
  };
  for (int i = 1; i <= 6; ++i) add(i, i <= 3 ? 50_W : 300_W);
  for (const PowerPiece& piece : pieces) {
    const double expected = piece.end == at(300_ms) ? 250 * 0.02 / std::sqrt(12.0) : 0;
    EXPECT_NEAR(root(piece.noise).si(), expected, 1e-9) << (piece.end - at(0_s)).si();
  }
}

TEST(PieceBuilder, AnUpdateOutOfOrderIsIgnored) {
  PieceBuilder builder(0_W);
  std::vector<PowerPiece> pieces;
  for (const Seconds time : {0.1_s, 0.2_s, 0.3_s, 0.3_s, 0.4_s, 0.5_s, 0.6_s}) {
    for (const PowerPiece& piece : builder.add({at(time), 0_s, 100_W, 100_ms, {}, {}}, {})) {
      pieces.push_back(piece);
    }
  }
  EXPECT_NEAR(told(pieces, 0.1_s, 0.5_s).si(), 40, 1e-9);
}

}  // namespace
}  // namespace ergon::meter
