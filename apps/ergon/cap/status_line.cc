#include "cap/status_line.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::app {
namespace {

constexpr Seconds kRedrawn{0.1}, kBetweenLines{5};

}  // namespace

std::string status_text(const control::Decision& decision) {
  const control::Reading& reading = decision.reading;
  const auto power = reading.mean_power ? reading.mean_power : reading.power;
  std::string text = fmt::format("{:.1f} s: {} of {}, batch {}", reading.at.si(),
                                 power ? fmt::format("{:.0f} W", power->si()) : "? W", to_text(reading.cap),
                                 reading.point.batch);
  if (reading.point.clock) text += fmt::format(", {:.0f} MHz", reading.point.clock->si() / 1e6);
  return text + fmt::format(", {:.4g}/s", reading.throughput());
}

StatusLine::StatusLine(Style style, const Clock& clock, Sink sink)
    : style_(style), clock_(clock), sink_(std::move(sink)), shown_(clock.now()) {}

void StatusLine::show(const control::Decision& decision) {
  const Seconds since = clock_.now() - shown_;
  if (style_ == Style::silent || since < (style_ == Style::lines ? kBetweenLines : kRedrawn)) return;
  shown_ = clock_.now();
  if (style_ == Style::lines) return sink_(status_text(decision) + "\n");
  sink_("\r\x1b[K" + status_text(decision));
  visible_ = true;
}

void StatusLine::clear() {
  if (visible_) sink_("\r\x1b[K");
  visible_ = false;
}

StatusLine::Style status_style(const Shell& shell) {
  if (shell.quiet) return StatusLine::Style::silent;
  return ::isatty(STDERR_FILENO) == 1 ? StatusLine::Style::in_place : StatusLine::Style::lines;
}

void to_standard_error(std::string_view text) { fmt::print(stderr, "{}", text); }

}  // namespace ergon::app
