#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace ergon {

enum class ProgressStyle {
  bar,      // a terminal: one line redrawn in place, ten times a second at most
  lines,    // a log: a line every five seconds
  records,  // a program: "progress<tab>label<tab>done<tab>total<tab>unit", twice a second at most, and at the
            // end
  silent,   // --quiet
};

// Tells a waiting person how far some work is. Writes nothing itself: text goes to `sink`. One thread at a
// time.
class Progress {
 public:
  using Sink = std::function<void(std::string_view)>;

  // What is being done, and how much of it. `total` of 0 means that nobody knows; then there is a rate but no
  // bar and no time left. `unit` stands behind numbers of steps ("MB").
  struct Work {
    std::string label;
    std::uint64_t total = 0;
    std::string unit = {};
  };

  Progress(ProgressStyle style, Work work, const Clock& clock, Sink sink, int columns = 80);
  ~Progress() { finish(); }
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

// "47 s", "3 min 20 s", "2 h 05 min": how long is left, no more precise than it can be.
std::string to_countdown(Seconds left);

}  // namespace ergon
