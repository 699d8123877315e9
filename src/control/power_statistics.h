#pragma once

#include <algorithm>
#include <optional>

#include "control/feedback.h"

namespace ergon::control {

// Maximum and mean of power readings.
class PowerStatistics {
 public:
  void add(Watts power) {
    max_ = std::max(max_.value_or(power), power);
    sum_ += power;
    ++count_;
  }
  void write_to(Feedback& feedback) const {
    feedback.power = max_;
    if (count_ > 0) feedback.mean_power = sum_ / count_;
  }

 private:
  std::optional<Watts> max_;
  Watts sum_;
  int count_ = 0;
};

}  // namespace ergon::control
