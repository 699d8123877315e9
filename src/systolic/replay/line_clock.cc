#include "systolic/replay/line_clock.h"

#include <algorithm>
#include <cmath>

namespace ergon::systolic {

void LineClock::run_until(std::int64_t line) {
  while (line_ < line) {
    const WriteBuffer::Quiet quiet = buffer_.quiet(now_);
    std::int64_t end = line;
    const double begun =
        std::ceil((quiet.until - WriteBuffer::kTie - now_) / pace_);  // lines, before the answer changes
    if (begun < static_cast<double>(line - line_)) end = line_ + static_cast<std::int64_t>(begun);
    const std::int64_t written = outputs_.before(line_);
    const std::int64_t words = outputs_.before(end) - written;
    const bool eventful = words > quiet.words;
    if (eventful) end = outputs_.line_of(written + quiet.words);
    buffer_.take(eventful ? outputs_.before(end) - written : words);
    now_ += static_cast<double>(end - line_) * pace_;
    line_ = end;
    if (eventful) run_line(pace_, pace_);
  }
}

double LineClock::run_line(double ifmap_cycles, double filter_cycles) {
  const double wait = buffer_.write_line(outputs_.in_line(line_), now_);
  const double idle = early_counts_ ? -pace_ : 0;
  const double stall = std::max({ifmap_cycles - pace_, filter_cycles - pace_, wait + idle});
  stalls_ += stall;
  if (stall > 0 && stall >= long_wait_) last_wait_ = line_;
  now_ += pace_ + stall;
  ++line_;
  return wait;
}

}  // namespace ergon::systolic
