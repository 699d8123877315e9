#pragma once

#include <optional>

namespace ergon::systolic {

// How fast the array runs beside its memory. Time is counted in cycles of the memory, which keeps its clock
// whatever the array does; a line of the array takes one of them at full pace and more of them when it is
// slowed.
struct Pace {
  double line = 1;   // memory cycles a line takes
  double start = 0;  // when the first line begins; the memory fetches from 0 on

  // Another pace for the lines after the last that waits for data: none of them can be late again.
  struct Change {
    double line = 1;
    double pause = 0;  // the array stands still while its clock changes; the memory does not
  };
  std::optional<Change> after_last_miss;
};

// Of one layer, in cycles of the memory. Not whole numbers unless the array runs at full pace.
struct PacedTiming {
  double cycles = 0;  // from the begin of prefetching, so the late start is in it
  double stalls = 0;  // of these, waiting for memory or for a change of pace
};

}  // namespace ergon::systolic
