#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "base/timestamp.h"
#include "base/units.h"

namespace ergon {

// A point in time on a monotonic clock: nanoseconds since the clock's arbitrary start.
struct Instant {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
  friend constexpr Seconds operator-(Instant a, Instant b) { return seconds_between(b.ns, a.ns); }
  friend Instant operator+(Instant a, Seconds later) { return {a.ns + std::llround(later.si() * 1e9)}; }
};

// A source of time. Passed in as a parameter, so that tests and twins can control time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  virtual Timestamp wall_now() const = 0;     // for provenance only: it may jump
  virtual void sleep_until(Instant due) = 0;  // returns at once if `due` has passed
};

// The time of this machine.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
  Timestamp wall_now() const override;
  void sleep_until(Instant due) override;
};

// Time that advances only by advance() and sleep_until().
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Timestamp wall_start = {}) : wall_start_(wall_start) {}

  Instant now() const override { return now_; }
  Timestamp wall_now() const override { return {wall_start_.ns + now_.ns}; }
  void sleep_until(Instant due) override {
    if (due > now_) now_ = due;
  }
  void advance(Seconds by) { now_ = now_ + by; }

 private:
  Timestamp wall_start_;
  Instant now_;
};

}  // namespace ergon
