#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::fleet {

// The times first, first + step, ... up to last, in milliseconds since 1970 (Prometheus' resolution).
struct StepRange {
  std::int64_t first_ms = 0, last_ms = 0, step_ms = 1;

  std::int64_t count() const { return (last_ms - first_ms) / step_ms + 1; }
  friend bool operator==(const StepRange&, const StepRange&) = default;
};

// The multiples of `step` from `from` to `to`, inclusive. Caching servers align steps to such multiples.
// Errors: there is none; the step is not a whole number of milliseconds.
Result<StepRange> steps_between(Timestamp from, Timestamp to, Seconds step);

// A range divided into consecutive windows of about ten minutes, but at least 40 steps. Prometheus returns at
// most 11,000 steps per query.
class StepWindows {
 public:
  explicit StepWindows(const StepRange& range);

  std::int64_t count() const { return (range_.count() + steps_ - 1) / steps_; }
  StepRange operator[](std::int64_t window) const;

 private:
  StepRange range_;
  std::int64_t steps_;  // per window
};

inline Timestamp at_ms(std::int64_t ms) { return Timestamp{ms * 1'000'000}; }

}  // namespace ergon::fleet
