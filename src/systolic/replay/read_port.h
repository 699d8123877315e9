#pragma once

#include <algorithm>
#include <limits>

#include "systolic/replay/layer_timing.h"
#include "systolic/replay/semantics.h"
#include "systolic/trace/miss_schedule.h"

namespace ergon::systolic {

// Prefetching of one operand as in SCALE-Sim: consecutive pieces of equal size, whether or not there is
// space.
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

  // The line begins at cycle `now` and takes `pace` cycles without stalls. Returns the cycles after `now` at
  // which its data have been processed.
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
  // In v3 a line that stalls on several pieces adds each stall twice, but the surplus of one piece shortens
  // the stall on the next one by the same amount, so the sum alternates between two values. (No surplus
  // exceeds a piece: a line never begins before the pieces of earlier lines have arrived.)
  double counted_twice(double first_wait, std::int64_t moves) const {
    const double surplus = std::max(0.0, first_wait);
    return moves % 2 == 1 ? surplus : static_cast<double>(piece_cycles_ + 1) - surplus;
  }

  MissList::Cursor next_;
  std::int64_t words_per_cycle_;
  std::int64_t piece_cycles_ = 0;
  Semantics semantics_;
  Accesses dram_;  // `stop` is the arrival of the latest piece
};

}  // namespace ergon::systolic
