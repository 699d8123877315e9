#pragma once

#include <algorithm>

#include "control/reading.h"

namespace ergon::control {

// How far single readings lie above their mean: what has to be left free below a cap so that none of them is
// over it.
class Spread {
 public:
  void see(const Reading& reading) {
    if (!reading.power || !reading.mean_power || *reading.mean_power <= Watts{0}) return;
    const double above = (*reading.power / *reading.mean_power).si() - 1;
    share_ += (std::clamp(above, kLeast, kMost) - share_) * kForget;
  }
  // The most that the mean of a point may be that is chosen anew.
  double limit(Watts cap) const { return cap.si() / (1 + share_ + kLeast / 2); }
  // Where a point is left that was within the limit when it was chosen.
  double brink(Watts cap) const { return cap.si() / (1 + 0.8 * share_); }
  double share() const { return share_; }

 private:
  static constexpr double kLeast = 0.004, kMost = 0.06, kForget = 0.3;
  double share_ = 0.01;
};

}  // namespace ergon::control
