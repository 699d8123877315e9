#pragma once

#include <cstdint>

#include "systolic/replay/pace.h"
#include "systolic/replay/semantics.h"
#include "systolic/trace/output_pattern.h"
#include "systolic/trace/write_buffer.h"

namespace ergon::systolic {

// Tracks the cycle at which each line begins, with SCALE-Sim's output scratchpad.
class LineClock {
 public:
  LineClock(const OutputPattern& outputs, WriteBuffer& buffer, Semantics semantics, const Pace& pace)
      : outputs_(outputs),
        buffer_(buffer),
        early_counts_(semantics == Semantics::v2_2021),
        pace_(pace.line),
        long_wait_(pace.long_wait),
        now_(pace.start) {}

  double stalls() const { return stalls_; }
  double now() const { return now_; }
  double pace() const { return pace_; }
  std::int64_t last_wait() const { return last_wait_; }
  void change_pace(double line) { pace_ = line; }

  // Runs all lines before this one; none of them stalls on reads.
  void run_until(std::int64_t line);

  // Runs one line whose data take this long. Returns the cycles that its outputs take.
  double run_line(double ifmap_cycles, double filter_cycles);

 private:
  const OutputPattern& outputs_;
  WriteBuffer& buffer_;
  bool early_counts_;  // a line whose data are all early subtracts a cycle
  double pace_;
  double long_wait_;
  double now_;
  double stalls_ = 0;
  std::int64_t line_ = 0, last_wait_ = -1;
};

}  // namespace ergon::systolic
