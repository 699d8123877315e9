#pragma once

// SCALE-Sim's timing with the array at its own pace, line by line and word by word: slow, and obviously what
// docs/systolic.md says.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "systolic/replay/memory_port.h"
#include "systolic/replay/pace.h"
#include "systolic/replay/semantics.h"
#include "systolic/trace/miss_schedule.h"

namespace ergon::systolic {

// SCALE-Sim's output scratchpad, word by word, with times that need not be whole.
class PlainOutputs {
 public:
  PlainOutputs(std::int64_t scratchpad, std::int64_t port)
      : scratchpad_(scratchpad), port_(port), free_(scratchpad) {}

  double write(std::int64_t words, double now) {
    const double begin = now;
    for (; words > 0; --words) {
      if (lines_.empty() || closed_) lines_.push_back(0);
      closed_ = ++lines_.back() == port_;
      --free_;
      if (now < drain_end_ - 1e-5) {  // sums of fractions are not exact
        if (free_ <= 0) now = drain_end_;
      } else if (free_ < (scratchpad_ + 1) / 2) {
        closed_ = true;
        drain(now);
      }
    }
    return now - begin;
  }

 private:
  void drain(double now) {
    const std::int64_t half = scratchpad_ / 2;
    const auto most = static_cast<std::size_t>((half + port_ - 1) / port_);
    const std::size_t lines = std::min(lines_.size(), most);
    free_ += static_cast<std::int64_t>(lines - 1) * port_ + lines_[lines - 1];
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(lines));
    drain_end_ = now + static_cast<double>(lines) - 1;
  }

  std::int64_t scratchpad_, port_, free_;
  std::vector<std::int64_t> lines_;
  bool closed_ = false;
  double drain_end_ = 0;
};

// One operand's pieces and the line that each is waited for in.
struct PlainReads {
  std::vector<Miss> misses;
  std::int64_t piece;  // memory cycles, the one between pieces included
  double there = -1;   // when the latest piece is
  std::size_t next = 0;

  PlainReads(const ReadSchedule& schedule, std::int64_t port)
      : piece((schedule.plan.prefetched_words + port - 1) / port + 1) {
    for (MissList::Cursor at(schedule.misses); !at.done(); at.advance()) misses.push_back(*at);
  }

  // When the line is done with its data.
  double done(std::int64_t line, double now, double pace, bool early_counts) {
    if (next == misses.size() || misses[next].line != line) return now + pace;
    there += static_cast<double>(misses[next++].moves * piece);
    return early_counts ? there : std::max(now + pace, there);
  }
};

// Line by line, from what docs/systolic.md says.
inline PacedTiming plain_run(const MissSchedule& schedule, const PortWords& ports, Semantics semantics,
                             const Pace& pace) {
  PlainReads ifmap(schedule.ifmap, ports.ifmap), filter(schedule.filter, ports.filter);
  PlainOutputs outputs(schedule.machine.scratchpads.ofmap, ports.ofmap);
  const bool early_counts = semantics == Semantics::v2_2021;
  double now = pace.start, line_takes = pace.line, stalls = pace.start;
  const std::int64_t lines = schedule.mapping.lines();
  std::int64_t last_wait = -1;
  for (std::int64_t line = 0;; ++line) {
    const bool changes = pace.change && line == pace.change->after;
    double end = std::max(ifmap.done(line, now, line_takes, early_counts),
                          filter.done(line, now, line_takes, early_counts));
    const double wait = outputs.write(schedule.outputs.in_line(line), now);
    end = std::max(end, now + wait + (early_counts ? 0 : line_takes));
    if (changes) end = std::max(end, now + line_takes + pace.change->pause);
    const double waited = end - now - line_takes;
    if (waited > 0 && waited >= pace.long_wait) last_wait = line;
    if (line == lines - 1) return {now + wait, stalls + waited, last_wait};
    stalls += waited;
    now = end;
    if (changes) line_takes = pace.change->line;
  }
}

}  // namespace ergon::systolic
