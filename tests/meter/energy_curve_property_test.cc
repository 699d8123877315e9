#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "meter/any_curve.h"
#include "meter/energy_curve.h"

namespace ergon::meter {
namespace {

RC_GTEST_PROP(EnergyCurveProperty, PartsSumToTheWhole, ()) {
  const AnyCurve any = any_curve();
  const auto cuts = any_cuts(any.begin, any.end);
  Joules parts;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const EnergyBetween part = between(*any.curve.at(cuts[i]), *any.curve.at(cuts[i + 1]));
    RC_ASSERT(part.variance >= JoulesSquared{});
    RC_ASSERT(part.energy >= Joules{-1e-9});
    parts += part.energy;
  }
  const Joules whole = between(*any.curve.at(any.begin), *any.curve.at(any.end)).energy;
  RC_ASSERT(std::abs((parts - whole).si()) <= 1e-9 * (1 + whole.si()));
}

RC_GTEST_PROP(EnergyCurveProperty, IsTheSumOfItsPieces, ()) {
  const Instant begin{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
  std::vector<PowerPiece> pieces;
  EnergyCurve curve;
  Instant end = begin;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    const Instant from = end;
    end = {from.ns + *rc::gen::inRange<std::int64_t>(1, 300'000'000)};
    pieces.push_back(any_piece(from, end));
    curve.append(pieces.back());
  }
  const auto cuts = any_cuts(begin, end);
  const Instant from = cuts[cuts.size() / 3], to = cuts[cuts.size() * 2 / 3];
  Joules plain;
  for (const PowerPiece& piece : pieces) {
    const Instant low = std::max(piece.begin, from), high = std::min(piece.end, to);
    if (low < high) plain += piece.energy(low, high);
  }
  const Joules told = between(*curve.at(from), *curve.at(to)).energy;
  RC_ASSERT(std::abs((told - plain).si()) <= 1e-9 * (1 + plain.si()));
}

RC_GTEST_PROP(EnergyCurveProperty, ForgettingDoesNotChangeTheRest, ()) {
  AnyCurve any = any_curve();
  const auto cuts = any_cuts(any.begin, any.end);
  const Instant kept = cuts[cuts.size() / 2];
  EnergyCurve whole = any.curve;
  any.curve.forget_before(kept);
  RC_ASSERT(any.curve.kept() <= whole.kept());
  for (const Instant cut : cuts) {
    if (cut < kept) continue;
    RC_ASSERT(any.curve.at(cut).has_value());
    RC_ASSERT(any.curve.at(cut)->energy() == whole.at(cut)->energy());
    RC_ASSERT(any.curve.at(cut)->variance() == whole.at(cut)->variance());
  }
}

}  // namespace
}  // namespace ergon::meter
