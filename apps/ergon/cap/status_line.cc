#include "cap/status_line.h"

#include "report/cap_text.h"

namespace ergon::app {
namespace {

constexpr Seconds kRedrawInterval{0.1}, kLineInterval{5};

}  // namespace

StatusLine::StatusLine(Style style, const Clock& clock, Sink sink)
    : style_(style), clock_(clock), sink_(std::move(sink)), shown_(clock.now()) {}

void StatusLine::show(const control::Decision& decision) {
  const Seconds since = clock_.now() - shown_;
  if (style_ == Style::silent || since < (style_ == Style::lines ? kLineInterval : kRedrawInterval)) return;
  shown_ = clock_.now();
  if (style_ == Style::lines) return sink_(report::decision_text(decision) + "\n");
  sink_("\r\x1b[K" + report::decision_text(decision));
  visible_ = true;
}

void StatusLine::clear() {
  if (visible_) sink_("\r\x1b[K");
  visible_ = false;
}

StatusLine::Style status_style(const Shell& shell) {
  switch (shell.progress_style()) {
    case ProgressStyle::silent:
      return StatusLine::Style::silent;
    case ProgressStyle::bar:
      return StatusLine::Style::in_place;
    default:
      return StatusLine::Style::lines;
  }
}

}  // namespace ergon::app
