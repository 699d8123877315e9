#pragma once

#include <algorithm>
#include <limits>

#include "systolic/layer_timing.h"
#include "systolic/miss_schedule.h"
#include "systolic/semantics.h"

namespace ergon::systolic {

// Prefetching of one operand as SCALE-Sim has it: pieces of the same size, one after the other, whether or
// not there is room.
class ReadPort {
 public:
  ReadPort(const ReadSchedule& schedule, std::int64_t words_per_cycle, Semantics semantics)
      : next_(schedule.misses), words_per_cycle_(words_per_cycle), semantics_(semantics) {
    const auto cycles = [&](std::int64_t words) { return (words + words_per_cycle - 1) / words_per_cycle; };
    const std::int64_t first = std::min(cycles(schedule.plan.active_words), cycles(schedule.plan.slots));
    dram_ = {-first, -1, first * words_per_cycle};
    piece_cycles_ = cycles(schedule.plan.prefetched_words);
  }

  std::int64_t next_miss() const {
    return next_.done() ? std::numeric_limits<std::int64_t>::max() : next_->line;
  }

  // The line begins at cycle `now` and takes `pace` cycles by itself; how many cycles after `now` its data
  // have been worked on.
  double serve(std::int64_t line, double now, double pace) {
    if (next_miss() != line) return pace;
    const std::int64_t moves = next_->moves;
    next_.advance();
    const double first = static_cast<double>(dram_.stop + piece_cycles_ + 1) - now;
    dram_.stop += moves * (piece_cycles_ + 1);
    dram_.words += moves * piece_cycles_ * words_per_cycle_;
    const double last = static_cast<double>(dram_.stop) - now;
    if (semantics_ == Semantics::v2_2021) return last;
    if (semantics_ == Semantics::v2) return std::max(pace, last);
    return last + counted_twice(first - pace, moves);
  }

  const Accesses& dram() const { return dram_; }

 private:
  // In v3 a line that waits for piece after piece adds each wait twice, but the surplus of one piece makes
  // the wait for the next one shorter by as much: it goes back and forth between two values. (No surplus
  // exceeds a piece: a line never begins before the pieces of earlier lines are there.)
  double counted_twice(double first_wait, std::int64_t moves) const {
    const double surplus = std::max(0.0, first_wait);
    return moves % 2 == 1 ? surplus : static_cast<double>(piece_cycles_ + 1) - surplus;
  }

  MissList::Cursor next_;
  std::int64_t words_per_cycle_;
  std::int64_t piece_cycles_ = 0;
  Semantics semantics_;
  Accesses dram_;  // `stop` is when the latest piece is there
};

}  // namespace ergon::systolic
