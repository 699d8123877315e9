#pragma once

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace ergon::sweep {

// Standard normal noise from a seed. `carried` is the correlation of neighbors.
class Noise {
 public:
  explicit Noise(std::uint64_t seed, double carried = 0) : random_(seed), carried_(carried) {}

  double operator()() {
    const double fresh = random_.normal();
    last_ = started_ ? carried_ * last_ + std::sqrt(1 - carried_ * carried_) * fresh : fresh;
    started_ = true;
    return last_;
  }

 private:
  Random random_;
  double carried_;
  double last_ = 0;
  bool started_ = false;
};

}  // namespace ergon::sweep
