#pragma once

#include <cstdint>
#include <deque>

#include "systolic/trace/output_pattern.h"

namespace ergon::systolic {

// SCALE-Sim's output scratchpad, event by event. Words are collected in lines as wide as the port to memory.
// When more than half of the scratchpad is occupied, one half is drained, one line per cycle. The array waits
// only when the scratchpad is full while it drains.
//
// Two quirks are reproduced because the reports depend on them. Starting a drain closes the line that is
// being filled. A drained line counts as full unless it is the last of its drain. So space that was never
// occupied is freed, and words that were never written are counted.
//
// Times are in memory cycles. They are exact integers while the array runs at the memory clock.
class WriteBuffer {
 public:
  WriteBuffer(std::int64_t scratchpad_words, std::int64_t port_words);

  // `words` leave the array in one line at cycle `now`. Returns the cycles that this line stalls.
  double write_line(std::int64_t words, double now);

  // Words that can arrive from cycle `now` on without an event, and until when that holds.
  struct Quiet {
    std::int64_t words;
    double until;  // a cycle; infinity when nothing drains
  };
  Quiet quiet(double now) const;

  // Times that differ by less are equal: a slower array begins its lines at fractions of a cycle, whose sums
  // are not exact. Far below the smallest possible difference of two times.
  static constexpr double kTie = 1e-5;
  // Contract: within what quiet() allows.
  void take(std::int64_t words);

  // Drains everything, from this cycle on.
  void finish(double now);

  std::int64_t drained_words() const { return drained_words_; }
  double first_start() const { return first_start_; }
  double last_stop() const { return last_stop_; }
  double latest_stop() const { return latest_stop_; }

 private:
  struct Lines {
    std::int64_t count, words_each;
  };

  bool draining(double now) const { return now < drain_end_ - kTie; }
  void close_line();
  void drain(double now);
  void append(Lines lines);

  std::int64_t port_words_;
  std::int64_t serving_words_;  // a drain starts when fewer are free
  std::int64_t drain_lines_;
  std::int64_t free_;
  std::int64_t open_line_ = 0;  // words in the line that is being filled
  std::deque<Lines> waiting_;
  std::int64_t waiting_lines_ = 0;
  double drain_end_ = 0;
  std::int64_t drained_words_ = 0;
  bool drained_once_ = false;
  double first_start_ = 0, last_stop_ = 0, latest_stop_ = 0;
};

}  // namespace ergon::systolic
