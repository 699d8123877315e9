#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "meter/piece_builder.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

struct PlayedUpdates {
  std::vector<SensorUpdate> updates;
  std::vector<WindowEdge> edges;
  std::vector<PowerPiece> pieces;
};

PlayedUpdates any_played() {
  PlayedUpdates played;
  Instant now{};
  const int count = *rc::gen::inRange(3, 40);
  for (int i = 0; i < count; ++i) {
    now = {now.ns + *rc::gen::inRange<std::int64_t>(1, 200'000'000)};
    const auto window = Seconds{*rc::gen::inRange(1, 300) * 1e-3};
    const auto power = Watts{*rc::gen::inRange(0, 700) * 1.0};
    const auto bracket = Seconds{*rc::gen::inRange(0, 30) * 1e-3};
    played.updates.push_back({now, bracket, power, window, JoulesSquared{0.01}, {}});
  }
  const int edges = *rc::gen::inRange(0, 30);
  for (int i = 0; i < edges; ++i) {
    played.edges.push_back({{*rc::gen::inRange<std::int64_t>(0, now.ns)}, *rc::gen::arbitrary<bool>()});
  }
  PieceBuilder builder(Watts{*rc::gen::inRange(0, 300) * 1.0});
  for (const SensorUpdate& update : played.updates) {
    for (const PowerPiece& piece : builder.add(update, played.edges)) played.pieces.push_back(piece);
  }
  return played;
}

RC_GTEST_PROP(PieceBuilderProperty, PiecesAreContiguous, ()) {
  const PlayedUpdates played = any_played();
  RC_ASSERT(!played.pieces.empty());
  RC_ASSERT(played.pieces.front().begin == played.updates.front().at);
  RC_ASSERT(played.pieces.back().end == played.updates[played.updates.size() - 2].at);
  for (std::size_t i = 0; i < played.pieces.size(); ++i) {
    const PowerPiece& piece = played.pieces[i];
    RC_ASSERT(piece.begin < piece.end);
    if (i > 0) RC_ASSERT(piece.begin == played.pieces[i - 1].end);
    RC_ASSERT(piece.jump_earliest <= piece.jump_latest);
    if (piece.before != piece.after) {
      RC_ASSERT(piece.jump_earliest >= piece.begin);
      RC_ASSERT(piece.jump_latest <= piece.end);
    }
    RC_ASSERT(piece.before >= 0_W);
    RC_ASSERT(piece.after >= 0_W);
    RC_ASSERT(piece.noise >= JoulesSquared{});
    RC_ASSERT(piece.split >= JoulesSquared{});
  }
}

// With or without edges, the mean of an averaging window equals its reading.
RC_GTEST_PROP(PieceBuilderProperty, TheMeanOfAWindowIsTheReading, ()) {
  const PlayedUpdates played = any_played();
  for (std::size_t i = 1; i + 1 < played.updates.size(); ++i) {
    const SensorUpdate& update = played.updates[i];
    const Instant begin = std::max(played.updates[i - 1].at, update.at + update.window * -1.0);
    Joules told;
    for (const PowerPiece& piece : played.pieces) {
      if (piece.begin >= begin && piece.end <= update.at) told += piece.energy(piece.begin, piece.end);
    }
    const Joules read = update.power * (update.at - begin);
    RC_ASSERT(std::abs((told - read).si()) <= 1e-6 * (1 + read.si()));
  }
}

}  // namespace
}  // namespace ergon::meter
