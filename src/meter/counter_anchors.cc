#include "meter/counter_anchors.h"

#include <algorithm>

namespace ergon::meter {
namespace {

JoulesSquared timing_variance(const Anchor& anchor) {
  const Joules per_bracket = anchor.point.piece.power_at(anchor.point.at) * anchor.bracket;
  return per_bracket * per_bracket / 12;
}

JoulesSquared positive(JoulesSquared variance) { return std::max(variance, JoulesSquared{}); }

}  // namespace

EnergyBetween CounterAnchors::energy(const CurvePoint& from, const CurvePoint& to) const {
  EnergyBetween result = between(from, to);
  for (std::size_t i = 0; i + 1 < anchors_.size(); ++i) {
    const Anchor &left = anchors_[i], &right = anchors_[i + 1];
    if (right.point.at <= from.at || left.point.at >= to.at) continue;
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
  const Anchor *before = nullptr, *behind = nullptr;
  for (const Anchor& anchor : anchors_) {
    if (anchor.point.at <= from.at) before = &anchor;
    if (anchor.point.at >= to.at && behind == nullptr) behind = &anchor;
  }
  if (before == nullptr || behind == nullptr) return std::nullopt;
  const Joules outside = (from.energy() - before->point.energy()) + (behind->point.energy() - to.energy());
  const JoulesSquared variance =
      between(before->point, behind->point).variance + timing_variance(*before) + timing_variance(*behind);
  return Check{behind->counted - before->counted - outside, to.energy() - from.energy(), root(variance)};
}

}  // namespace ergon::meter
