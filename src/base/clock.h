#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "base/timestamp.h"
#include "base/units.h"

namespace ergon {

// A moment on a clock that never jumps: nanoseconds since some start that only this clock knows.
struct Instant {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
  friend constexpr Seconds operator-(Instant a, Instant b) { return seconds_between(b.ns, a.ns); }
  friend Instant operator+(Instant a, Seconds later) { return {a.ns + std::llround(later.si() * 1e9)}; }
};

// Time as whoever needs it sees it. Passed in, so that a test or a twin can own it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  virtual Timestamp wall_now() const = 0;     // for provenance only: it may jump
  virtual void sleep_until(Instant due) = 0;  // returns at once if `due` has passed
};

// The machine's own time.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
  Timestamp wall_now() const override;
  void sleep_until(Instant due) override;
};

// Time that moves only when told to; sleeping is how its user tells it.
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
