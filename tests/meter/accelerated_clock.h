#pragma once

#include "base/clock.h"

namespace ergon::meter {

// Real time, accelerated by a factor.
class AcceleratedClock final : public Clock {
 public:
  explicit AcceleratedClock(double times) : times_(times), begin_(real_.now()) {}

  Instant now() const override { return Instant{} + (real_.now() - begin_) * times_; }
  Timestamp wall_now() const override { return {now().ns}; }
  void sleep_until(Instant due) override {
    if (due > now()) real_.sleep_until(begin_ + (due - Instant{}) / times_);
  }

 private:
  SystemClock real_;
  double times_;
  Instant begin_;
};

}  // namespace ergon::meter
