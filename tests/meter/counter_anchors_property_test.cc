#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "meter/any_curve.h"
#include "meter/counter_anchors.h"

namespace ergon::meter {
namespace {

// A counter with arbitrary values, and steps with narrow or wide brackets.
CounterAnchors any_anchors(const AnyCurve& any) {
  CounterAnchors anchors;
  Joules counted;
  for (const Instant moment : any_cuts(any.begin, any.end)) {
    counted += Joules{*rc::gen::inRange(0, 1000) * 0.1};
    anchors.add({*any.curve.at(moment), Seconds{*rc::gen::inRange(0, 100) * 1e-3}, counted});
  }
  return anchors;
}

RC_GTEST_PROP(CounterAnchorsProperty, PartsSumToTheWhole, ()) {
  const AnyCurve any = any_curve();
  const CounterAnchors anchors = any_anchors(any);
  const auto cuts = any_cuts(any.begin, any.end);
  Joules parts, magnitude;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Joules part = anchors.energy(*any.curve.at(cuts[i]), *any.curve.at(cuts[i + 1])).energy;
    parts += part;
    magnitude += Joules{std::abs(part.si())};
  }
  const Joules whole = anchors.energy(*any.curve.at(any.begin), *any.curve.at(any.end)).energy;
  RC_ASSERT(std::abs((parts - whole).si()) <= 1e-9 * (1 + magnitude.si()));
}

RC_GTEST_PROP(CounterAnchorsProperty, VariancesAreNeverNegativeAndNeverGrow, ()) {
  const AnyCurve any = any_curve();
  const CounterAnchors anchors = any_anchors(any);
  const auto cuts = any_cuts(any.begin, any.end);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const CurvePoint from = *any.curve.at(cuts[i]), to = *any.curve.at(cuts[i + 1]);
    const EnergyBetween bent = anchors.energy(from, to);
    RC_ASSERT(bent.variance >= JoulesSquared{});
    RC_ASSERT(bent.variance <= between(from, to).variance + JoulesSquared{1e-9});
    if (const auto check = anchors.check(from, to)) RC_ASSERT(check->uncertainty >= Joules{});
  }
}

// Energy up to an anchor is final; later anchors do not change it.
RC_GTEST_PROP(CounterAnchorsProperty, LaterAnchorsDoNotChangeTheWindow, ()) {
  const AnyCurve any = any_curve();
  const CounterAnchors all = any_anchors(any);
  const auto cuts = any_cuts(any.begin, any.end);
  const CurvePoint from = *any.curve.at(cuts[cuts.size() / 3]), to = *any.curve.at(cuts[cuts.size() / 2]);
  CounterAnchors some;
  for (const Anchor& anchor : all.all()) {
    some.add(anchor);
    if (anchor.point.at >= to.at) break;
  }
  RC_ASSERT(some.energy(from, to).energy == all.energy(from, to).energy);
  RC_ASSERT(some.energy(from, to).variance == all.energy(from, to).variance);
}

RC_GTEST_PROP(CounterAnchorsProperty, ForgettingDoesNotChangeTheRest, ()) {
  const AnyCurve any = any_curve();
  const CounterAnchors whole = any_anchors(any);
  const auto cuts = any_cuts(any.begin, any.end);
  const Instant kept = cuts[cuts.size() / 2];
  CounterAnchors some = whole;
  some.forget_before(kept);
  for (std::size_t i = cuts.size() / 2; i + 1 < cuts.size(); ++i) {
    const CurvePoint from = *any.curve.at(cuts[i]), to = *any.curve.at(cuts[i + 1]);
    RC_ASSERT(some.energy(from, to).energy == whole.energy(from, to).energy);
    RC_ASSERT(some.energy(from, to).variance == whole.energy(from, to).variance);
    RC_ASSERT(some.check(from, to).has_value() == whole.check(from, to).has_value());
    if (const auto check = some.check(from, to)) RC_ASSERT(check->counted == whole.check(from, to)->counted);
  }
}

// An exact counter, and readings with errors everywhere.
RC_GTEST_PROP(CounterAnchorsProperty, BetweenPerfectAnchorsTheCounterIsRight, ()) {
  AnyCurve any;
  any.begin = any.end = Instant{};
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    const Instant begin = any.end;
    any.end = {begin.ns + *rc::gen::inRange<std::int64_t>(1000, 300'000'000)};
    PowerPiece piece = any_piece(begin, any.end);
    piece.noise += JoulesSquared{1};
    any.curve.append(piece);
  }
  CounterAnchors anchors;
  Joules counted;
  const auto moments = any_cuts(any.begin, any.end);
  for (const Instant moment : moments) {
    counted += Joules{*rc::gen::inRange(0, 1000) * 0.1};
    if (!anchors.all().empty() && anchors.all().back().point.at == moment) continue;
    anchors.add({*any.curve.at(moment), Seconds{0}, counted});
  }
  for (std::size_t i = 0; i + 1 < anchors.all().size(); ++i) {
    const Anchor &left = anchors.all()[i], &right = anchors.all()[i + 1];
    const Joules told = anchors.energy(left.point, right.point).energy;
    RC_ASSERT(std::abs((told - (right.counted - left.counted)).si()) <= 1e-6);
  }
}

}  // namespace
}  // namespace ergon::meter
