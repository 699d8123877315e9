#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace ergon {

enum class ProgressStyle {
  bar,      // a terminal: one line redrawn in place, at most ten times per second
  lines,    // a log: one line every five seconds
  records,  // a program: "progress<tab>label<tab>done<tab>total<tab>unit", at most twice per second, and at
            // the end
  silent,   // --quiet
};

// Reports the progress of some work as text to `sink`. Not thread-safe.
class Progress {
 public:
  using Sink = std::function<void(std::string_view)>;

  // A label, the number of steps and their unit ("MB"). A `total` of 0 means unknown: a rate is shown, but no
  // bar and no remaining time.
  struct Work {
    std::string label;
    std::uint64_t total = 0;
    std::string unit = {};
  };

  Progress(ProgressStyle style, Work work, const Clock& clock, Sink sink, int columns = 80);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::uint64_t steps = 1);
  // Draws the last state and ends the line. Later calls do nothing.
  void finish();

 private:
  std::string bar_line() const;
  std::string plain_line() const;
  void show();

  ProgressStyle style_;
  Work work_;
  std::uint64_t done_ = 0;
  const Clock& clock_;
  Sink sink_;
  int columns_;
  Instant started_;
  Instant shown_;
  bool anything_shown_ = false;
  bool finished_ = false;
};

// Remaining time, rounded: "47 s", "3 min 20 s", "2 h 05 min".
std::string to_countdown(Seconds left);

}  // namespace ergon
