#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::fleet {

// The moments first, first + step, ... up to last, in Prometheus' own resolution since 1970.
struct StepRange {
  std::int64_t first_ms = 0, last_ms = 0, step_ms = 1;

  std::int64_t count() const { return (last_ms - first_ms) / step_ms + 1; }
  friend bool operator==(const StepRange&, const StepRange&) = default;
};

// The multiples of `step` from `from` to `to`, both of them included: servers that keep answers for later
// move other moments to these. Error: there is none, or the step is not whole milliseconds.
Result<StepRange> steps_between(Timestamp from, Timestamp to, Seconds step);

// A range cut into windows of about ten minutes, though of 40 steps at least, so that the first of one
// follows the last of another. Prometheus gives no more than 11,000 steps at once.
class StepWindows {
 public:
  explicit StepWindows(const StepRange& range);

  std::int64_t count() const { return (range_.count() + steps_ - 1) / steps_; }
  StepRange operator[](std::int64_t window) const;

 private:
  StepRange range_;
  std::int64_t steps_;  // in a window
};

inline Timestamp at_ms(std::int64_t ms) { return Timestamp{ms * 1'000'000}; }

}  // namespace ergon::fleet
