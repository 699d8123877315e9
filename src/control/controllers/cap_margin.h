#pragma once

#include <algorithm>

#include "control/feedback.h"

namespace ergon::control {

// Margin below the cap that absorbs the scatter of single power readings. The margin is the smoothed relative
// distance of the maximum reading above the mean. Two limits give hysteresis.
class CapMargin {
 public:
  void add_sample(const Feedback& feedback) {
    if (!feedback.power || !feedback.mean_power || *feedback.mean_power <= Watts{0}) return;
    const double above = (*feedback.power / *feedback.mean_power).si() - 1;
    share_ += (std::clamp(above, kMin, kMax) - share_) * kSmoothing;
  }
  // Maximum mean power of a newly chosen operating point.
  Watts limit_to_enter(Watts cap) const { return cap / (1 + share_ + kMin / 2); }
  // Maximum mean power at which the current operating point is kept.
  Watts limit_to_stay(Watts cap) const { return cap / (1 + 0.8 * share_); }

 private:
  static constexpr double kMin = 0.004, kMax = 0.06, kSmoothing = 0.3;
  double share_ = 0.01;
};

}  // namespace ergon::control
