#pragma once

#include <cstddef>

#include "base/units.h"

namespace ergon::control {

// The pseudo binary search of BatchSizer (Nabavinejad, Reda, Ebrahimi, ASPDAC 2021, Algorithm 1) over rungs
// of a ladder along which power rises: batch sizes there, clocks in the baseline it is compared with. As it
// is printed, flaws included: the upper end only ever comes down, and where no rung draws between `alpha` of
// the cap and the cap it goes to and fro for ever. One thing is read kindly: on the lowest rung the printed
// lines would also bring the upper end down to it for ever; here it only says that nothing is lower.
class Ladder {
 public:
  // Contract: at least one rung.
  Ladder(std::size_t rungs, double alpha) : most_(rungs), alpha_(alpha) {}

  enum class Move { stay, up, down, stuck };
  // `power` is the highest reading of the time on this rung.
  Move step(Watts power, Watts cap);
  // From 0.
  std::size_t rung() const { return at_ - 1; }
  double alpha() const { return alpha_; }

 private:
  // Counted from 1, as in the paper.
  std::size_t least_ = 1, most_, at_ = 1;
  double alpha_;
};

}  // namespace ergon::control
