#pragma once

#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

// Limits how often an expensive call is repeated. The pause after a call is its duration divided by `share`,
// clamped to [min, max]. The upper bound keeps one slow call, such as when the driver is busy, from blocking
// the following ones.
class RateLimiter {
 public:
  // `share`: maximum share of the time that the calls take.
  RateLimiter(Seconds min, Seconds max, double share = kDefaultShare) : min_(min), max_(max), share_(share) {}

  bool due(Instant now) const { return now >= due_; }
  void done(Instant began, Instant ended) { due_ = ended + std::clamp((ended - began) / share_, min_, max_); }

  static constexpr double kDefaultShare = 0.002;

 private:
  Seconds min_, max_;
  double share_;
  Instant due_;
};

// Limits bursts of calls (token bucket): time accrues at kShare up to kMax and is spent by calls.
class TimeBudget {
 public:
  bool available(Instant now) {
    if (last_) saved_ = std::min(kMax, saved_ + (now - *last_) * kShare);
    last_ = now;
    return saved_ > Seconds{0};
  }
  void spend(Seconds time) { saved_ = std::max(saved_ - time, -kMaxDebt); }

 private:
  static constexpr double kShare = 0.005;
  static constexpr Seconds kMax{0.1};
  static constexpr Seconds kMaxDebt{0.01};  // two seconds until calls are allowed again

  Seconds saved_ = kMax;
  std::optional<Instant> last_;
};

}  // namespace ergon::meter
