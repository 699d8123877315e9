#pragma once

#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "meter/energy_curve.h"

namespace ergon::meter {

// A curve of up to forty random pieces, and its ends.
struct AnyCurve {
  EnergyCurve curve;
  Instant begin, end;
};

inline PowerPiece any_piece(Instant begin, Instant end) {
  const auto inside = [&] {
    return Instant{begin.ns + *rc::gen::inRange<std::int64_t>(0, end.ns - begin.ns)};
  };
  PowerPiece piece;
  piece.begin = begin;
  piece.end = end;
  piece.before = Watts{*rc::gen::inRange(0, 700'000) * 1e-3};
  piece.after = Watts{*rc::gen::inRange(0, 700'000) * 1e-3};
  piece.jump_earliest = inside();
  piece.jump_latest = inside();
  if (piece.jump_latest < piece.jump_earliest) std::swap(piece.jump_earliest, piece.jump_latest);
  piece.noise = JoulesSquared{*rc::gen::inRange(0, 1000) * 1e-2};
  piece.split = JoulesSquared{*rc::gen::inRange(0, 1000) * 1e-2};
  return piece;
}

inline AnyCurve any_curve() {
  AnyCurve any;
  any.begin = any.end = {*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000)};
  const int pieces = *rc::gen::inRange(1, 40);
  for (int i = 0; i < pieces; ++i) {
    const Instant begin = any.end;
    any.end = {begin.ns + *rc::gen::inRange<std::int64_t>(1, 300'000'000)};
    any.curve.append(any_piece(begin, any.end));
  }
  return any;
}

// Sorted times within a span, including its ends.
inline std::vector<Instant> any_cuts(Instant begin, Instant end) {
  std::vector<Instant> cuts{begin, end};
  const int count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    cuts.push_back({begin.ns + *rc::gen::inRange<std::int64_t>(0, end.ns - begin.ns + 1)});
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace ergon::meter
