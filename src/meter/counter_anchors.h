#pragma once

#include <deque>
#include <optional>

#include "meter/energy_curve.h"

namespace ergon::meter {

// A step of the energy counter, at a point of the energy curve.
struct Anchor {
  CurvePoint point;  // on the curve of the power readings
  Seconds bracket;   // the step is within +- half of this
  Joules counted;
};

// Corrects the energy curve of the power readings with the energy counter. The counter includes all energy
// but is exact only where it steps; the readings resolve time but may miss short loads. Between two anchors
// the curve is corrected toward the counter, weighted by both variances, with the largest correction where
// the curve's variance is largest (a Kalman update of a process with independent increments). Corrections are
// additive, so the energies of parts sum to the energy of the whole.
class CounterAnchors {
 public:
  // Contract: in order of time.
  void add(const Anchor& anchor) { anchors_.push_back(anchor); }
  const std::deque<Anchor>& all() const { return anchors_; }
  // Discards anchors that are not needed for points at or after `moment`.
  void forget_before(Instant moment);

  // Energy between two points of the curve. Final once there is an anchor at or after `to`.
  EnergyBetween energy(const CurvePoint& from, const CurvePoint& to) const;

  // Energy by the counter alone: from the last anchor before `from` to the first anchor after `to`, minus the
  // readings' energy outside of [from, to]. Empty if one of these anchors is missing.
  struct Check {
    Joules counted, integrated;
    Joules uncertainty;  // standard deviation of their difference
  };
  std::optional<Check> check(const CurvePoint& from, const CurvePoint& to) const;

 private:
  std::deque<Anchor> anchors_;
};

}  // namespace ergon::meter
