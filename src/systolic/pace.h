#pragma once

#include <cstdint>
#include <optional>

namespace ergon::systolic {

// How fast the array runs beside its memory. Time is counted in cycles of the memory, which keeps its clock
// whatever the array does; a line of the array takes one of them at full pace and more of them when it is
// slowed.
struct Pace {
  double line = 1;   // memory cycles a line takes
  double start = 0;  // when the first line begins; the memory fetches from 0 on

  // Another pace after one of the lines.
  struct Change {
    std::int64_t after = 0;  // the last line at the first pace
    double line = 1;
    double pause = 0;  // the array stands still while its clock changes; the memory does not
  };
  std::optional<Change> change;

  double long_wait = 0;  // what counts for PacedTiming::last_wait: more than nothing, and at least this
};

// Of one layer, in cycles of the memory. Not whole numbers unless the array runs at full pace.
struct PacedTiming {
  double cycles = 0;            // from the begin of prefetching, so the late start is in it
  double stalls = 0;            // of these, waiting for memory or for a change of pace
  std::int64_t last_wait = -1;  // the last line that waits long; -1 when none does
};

}  // namespace ergon::systolic
