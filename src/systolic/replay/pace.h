#pragma once

#include <cstdint>
#include <optional>

namespace ergon::systolic {

// Clock of the array relative to the memory. Time is counted in memory cycles; the memory clock is constant.
// A line of the array takes one memory cycle at full speed and more at a lower array clock.
struct Pace {
  double line = 1;   // memory cycles per line
  double start = 0;  // when the first line begins; the memory fetches from 0 on

  // A second clock from some line on.
  struct Change {
    std::int64_t after = 0;  // the last line at the first clock
    double line = 1;
    double pause = 0;  // memory cycles in which the array stops while its clock changes
  };
  std::optional<Change> change;

  double long_wait = 0;  // shortest stall that counts for PacedTiming::last_wait, if above 0
};

// Timing of one layer in memory cycles; integers only if the array runs at full speed.
struct PacedTiming {
  double cycles = 0;            // from the start of prefetching, so a late start is included
  double stalls = 0;            // cycles spent waiting for memory or for a change of clock
  std::int64_t last_wait = -1;  // the last line with a long stall; -1 if none
};

}  // namespace ergon::systolic
