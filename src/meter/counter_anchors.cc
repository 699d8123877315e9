#include "meter/counter_anchors.h"

#include <algorithm>

namespace ergon::meter {
namespace {

JoulesSquared timing_variance(const Anchor& anchor) {
  // Upper bound: the larger of the two powers of the piece.
  const Joules per_bracket = std::max(anchor.point.piece.before, anchor.point.piece.after) * anchor.bracket;
  return per_bracket * per_bracket / 12;
}

JoulesSquared positive(JoulesSquared variance) { return std::max(variance, JoulesSquared{}); }

}  // namespace

void CounterAnchors::forget_before(Instant moment) {
  while (anchors_.size() > 1 && anchors_[1].point.at <= moment) anchors_.pop_front();
}

EnergyBetween CounterAnchors::energy(const CurvePoint& from, const CurvePoint& to) const {
  EnergyBetween result = between(from, to);
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), from.at,
                                      [](Instant t, const Anchor& anchor) { return t < anchor.point.at; });
  const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - anchors_.begin() - 1));
  for (std::size_t i = first; i + 1 < anchors_.size(); ++i) {
    const Anchor &left = anchors_[i], &right = anchors_[i + 1];
    if (right.point.at <= from.at) continue;
    if (left.point.at >= to.at) break;
    const CurvePoint& begin = from.at > left.point.at ? from : left.point;
    const CurvePoint& end = to.at < right.point.at ? to : right.point;
    const JoulesSquared part = positive(end.variance() - begin.variance());
    const JoulesSquared whole = positive(right.point.variance() - left.point.variance());
    const JoulesSquared sum = whole + timing_variance(left) + timing_variance(right);
    if (!(sum > JoulesSquared{})) continue;
    const double share = (part / sum).si();
    const Joules missing = right.counted - left.counted - (right.point.energy() - left.point.energy());
    result.energy += missing * share;
    result.variance -= part * share;
  }
  result.variance = positive(result.variance);
  return result;
}

std::optional<CounterAnchors::Check> CounterAnchors::check(const CurvePoint& from,
                                                           const CurvePoint& to) const {
  const Anchor *before = nullptr, *after = nullptr;
  for (const Anchor& anchor : anchors_) {
    if (anchor.point.at <= from.at) before = &anchor;
    if (anchor.point.at >= to.at && after == nullptr) after = &anchor;
  }
  if (before == nullptr || after == nullptr) return std::nullopt;
  const Joules outside = (from.energy() - before->point.energy()) + (after->point.energy() - to.energy());
  const JoulesSquared variance =
      between(before->point, after->point).variance + timing_variance(*before) + timing_variance(*after);
  return Check{after->counted - before->counted - outside, to.energy() - from.energy(), root(variance)};
}

}  // namespace ergon::meter
