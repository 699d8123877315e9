#pragma once

#include <functional>
#include <string_view>

#include "base/clock.h"
#include "control/run.h"
#include "shell.h"

namespace ergon::app {

// Displays decisions (report::decision_text). On a terminal: one line redrawn in place, at most ten times per
// second, removed at the end. Otherwise: a line every five seconds.
class StatusLine {
 public:
  enum class Style { in_place, lines, silent };
  using Sink = std::function<void(std::string_view)>;

  StatusLine(Style style, const Clock& clock, Sink sink);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const control::Decision& decision);
  // Erases the line.
  void clear();

 private:
  Style style_;
  const Clock& clock_;
  Sink sink_;
  Instant shown_;
  bool visible_ = false;
};

// The style for standard error.
StatusLine::Style status_style(const Shell& shell);

}  // namespace ergon::app
