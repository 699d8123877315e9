#pragma once

#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

// When to do something again that has a cost: not before a least time has passed, not so often that it takes
// more than a small share of the time, but never later than the longest wait. A single call that was slow, as
// when a driver is busy, must not silence what follows.
class Pace {
 public:
  // `share`: of the time that it may take.
  Pace(Seconds least, Seconds most, double share = kSmall) : least_(least), most_(most), share_(share) {}

  bool due(Instant now) const { return now >= due_; }
  void done(Instant began, Instant ended) {
    due_ = ended + std::clamp((ended - began) / share_, least_, most_);
  }

  static constexpr double kSmall = 0.002;

 private:
  Seconds least_, most_;
  double share_;
  Instant due_;
};

// The same for something that comes in bursts: time may be saved up, and is spent.
class Allowance {
 public:
  bool affords(Instant now) {
    if (last_) saved_ = std::min(kMost, saved_ + (now - *last_) * kShare);
    last_ = now;
    return saved_ > Seconds{0};
  }
  void spend(Seconds time) { saved_ = std::max(saved_ - time, -kDeepest); }

 private:
  static constexpr double kShare = 0.005;
  static constexpr Seconds kMost{0.1};
  static constexpr Seconds kDeepest{0.01};  // in debt: two seconds of waiting

  Seconds saved_ = kMost;
  std::optional<Instant> last_;
};

}  // namespace ergon::meter
