#pragma once

#include <algorithm>
#include <optional>

#include "control/reading.h"

namespace ergon::control {

// What somebody saw who looked at a power sensor several times.
class Looks {
 public:
  void see(Watts power) {
    highest_ = std::max(highest_.value_or(power), power);
    sum_ += power;
    ++count_;
  }
  void tell(Reading& reading) const {
    reading.power = highest_;
    if (count_ > 0) reading.mean_power = sum_ / count_;
  }

 private:
  std::optional<Watts> highest_;
  Watts sum_;
  int count_ = 0;
};

}  // namespace ergon::control
