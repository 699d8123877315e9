#pragma once

#include <cstddef>

#include "base/units.h"

namespace ergon::control {

// The pseudo binary search of BatchSizer (Nabavinejad, Reda, Ebrahimi, ASPDAC 2021, Algorithm 1) over an
// ordered list of settings with rising power: batch sizes in BatchSizer, clocks in its DVFS baseline. Follows
// the paper, flaws included: the upper bound never rises, and the search oscillates forever if no setting
// draws between `alpha` times the cap and the cap. One deviation: at the lowest setting the printed algorithm
// would also lower the upper bound to it permanently; here step() returns `stuck`.
class PseudoBinarySearch {
 public:
  // Contract: at least one setting.
  PseudoBinarySearch(std::size_t settings, double alpha) : max_(settings), alpha_(alpha) {}

  enum class Move { stay, up, down, stuck };
  // `power` is the maximum reading at the current setting.
  Move step(Watts power, Watts cap);
  // Current setting, counted from 0.
  std::size_t index() const { return at_ - 1; }
  double alpha() const { return alpha_; }

 private:
  // Counted from 1, as in the paper.
  std::size_t min_ = 1, max_, at_ = 1;
  double alpha_;
};

}  // namespace ergon::control
