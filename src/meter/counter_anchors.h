#pragma once

#include <deque>
#include <optional>

#include "meter/energy_curve.h"

namespace ergon::meter {

// A moment at which the energy counter was seen to step.
struct Anchor {
  CurvePoint point;  // on the curve that the power readings give
  Seconds bracket;   // the step lies within half of this on either side
  Joules counted;
};

// What the energy counter says about the curve of the power readings. The counter misses nothing, but tells
// only where it steps; the readings tell when, but may not see everything. Between two anchors the curve is
// bent to meet the counter as far as the counter knows better, and most where the curve is least certain
// (a Kalman update of a process with independent increments). Corrections add up as the curve does: parts
// sum to the whole.
class CounterAnchors {
 public:
  // Contract: in order of time.
  void add(const Anchor& anchor) { anchors_.push_back(anchor); }
  const std::deque<Anchor>& all() const { return anchors_; }
  // Nobody will ask about moments before this one.
  void forget_before(Instant moment);

  // Energy between two points of the curve. Final once an anchor lies behind `to`.
  EnergyBetween energy(const CurvePoint& from, const CurvePoint& to) const;

  // The counter alone: from the anchor before to the anchor behind, less what the readings say of the time
  // outside. Nothing where there are none.
  struct Check {
    Joules counted, integrated;
    Joules uncertainty;  // standard deviation of their difference
  };
  std::optional<Check> check(const CurvePoint& from, const CurvePoint& to) const;

 private:
  std::deque<Anchor> anchors_;
};

}  // namespace ergon::meter
