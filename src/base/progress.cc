#include "base/progress.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/number_text.h"

namespace ergon {
namespace {

constexpr Seconds kBarPeriod{0.1};
constexpr Seconds kLinePeriod{5};
constexpr Seconds kRecordPeriod{0.5};

// The label of a record without tabs and line ends, which separate fields and records.
std::string one_cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

Seconds period_of(ProgressStyle style) {
  if (style == ProgressStyle::bar) return kBarPeriod;
  return style == ProgressStyle::records ? kRecordPeriod : kLinePeriod;
}

}  // namespace

std::string to_countdown(Seconds left) {
  const auto seconds = static_cast<std::int64_t>(std::ceil(std::max(0.0, left.si())));
  if (seconds < 100) return fmt::format("{} s", seconds);
  if (seconds < 6000) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

Progress::Progress(ProgressStyle style, Work work, const Clock& clock, Sink sink, int columns)
    : style_(style),
      work_(std::move(work)),
      clock_(clock),
      sink_(std::move(sink)),
      columns_(columns),
      started_(clock.now()),
      shown_(started_) {}

Progress::~Progress() {
  try {
    finish();
  } catch (const std::bad_alloc&) {  // not shown
  }
}

void Progress::advance(std::uint64_t steps) {
  done_ += steps;
  if (style_ == ProgressStyle::silent || finished_) return;
  const Seconds since_shown = clock_.now() - shown_;
  if (since_shown >= period_of(style_)) show();
}

void Progress::finish() {
  if (std::exchange(finished_, true) || style_ == ProgressStyle::silent) return;
  // Work that ends within the first period is not shown.
  if (!anything_shown_ && style_ != ProgressStyle::records) return;
  show();
  if (style_ == ProgressStyle::bar) sink_("\n");
}

void Progress::show() {
  shown_ = clock_.now();
  anything_shown_ = true;
  if (style_ == ProgressStyle::records) {
    sink_(fmt::format("progress\t{}\t{}\t{}\t{}\n", one_cell(work_.label), done_, work_.total,
                      one_cell(work_.unit)));
  } else {
    sink_(style_ == ProgressStyle::bar ? bar_line() : plain_line());
  }
}

std::string Progress::plain_line() const {
  const auto& [label, total, unit] = work_;
  const std::string in_units = unit.empty() ? "" : " " + unit;
  const Seconds elapsed = clock_.now() - started_;
  const double rate = elapsed.si() > 0 ? static_cast<double>(done_) / elapsed.si() : 0;
  if (total == 0)
    return fmt::format("{}: {}{} done, {}{}/s\n", label, done_, in_units, grouped_text(rate, 3), in_units);
  const auto remaining = static_cast<double>(total - std::min(done_, total));
  const std::string left = finished_  ? fmt::format("took {}", to_countdown(elapsed))
                           : rate > 0 ? fmt::format("{} left", to_countdown(Seconds{remaining / rate}))
                                      : "time left unknown";
  return fmt::format("{}: {}/{}{} ({}%), {}{}/s, {}\n", label, done_, total, in_units, done_ * 100 / total,
                     grouped_text(rate, 3), in_units, left);
}

std::string Progress::bar_line() const {
  std::string facts = plain_line();
  facts.pop_back();
  const int room = columns_ - static_cast<int>(facts.size()) - 4;
  std::string line = "\r" + facts;
  if (work_.total > 0 && room >= 10) {
    const int width = std::min(room, 30);
    const auto full =
        static_cast<int>(static_cast<double>(width) * static_cast<double>(std::min(done_, work_.total)) /
                         static_cast<double>(work_.total));
    line = fmt::format("\r[{}{}] {}", std::string(static_cast<std::size_t>(full), '#'),
                       std::string(static_cast<std::size_t>(width - full), '.'), facts);
  } else if (line.size() > static_cast<std::size_t>(columns_)) {
    line.resize(static_cast<std::size_t>(columns_));
  }
  return line + "\x1b[K";
}

}  // namespace ergon
