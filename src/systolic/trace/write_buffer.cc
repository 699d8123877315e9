#include "systolic/trace/write_buffer.h"

#include <algorithm>
#include <limits>

#include "base/contract.h"

namespace ergon::systolic {

WriteBuffer::WriteBuffer(std::int64_t scratchpad_words, std::int64_t port_words)
    : port_words_(port_words),
      serving_words_((scratchpad_words + 1) / 2),
      drain_lines_((scratchpad_words - serving_words_ + port_words - 1) / port_words),
      free_(scratchpad_words) {}

WriteBuffer::Quiet WriteBuffer::quiet(double now) const {
  if (draining(now)) return {std::max<std::int64_t>(0, free_ - 1), drain_end_};
  return {std::max<std::int64_t>(0, free_ - serving_words_), std::numeric_limits<double>::infinity()};
}

void WriteBuffer::take(std::int64_t words) {
  free_ -= words;
  open_line_ += words;
  if (open_line_ < port_words_) return;
  append({open_line_ / port_words_, port_words_});
  open_line_ %= port_words_;
}

void WriteBuffer::append(Lines lines) {
  waiting_lines_ += lines.count;
  if (!waiting_.empty() && waiting_.back().words_each == lines.words_each) {
    waiting_.back().count += lines.count;
  } else {
    waiting_.push_back(lines);
  }
}

void WriteBuffer::close_line() {
  if (open_line_ == 0) return;
  append({1, open_line_});
  open_line_ = 0;
}

void WriteBuffer::drain(double now) {
  const std::int64_t lines = std::min(drain_lines_, waiting_lines_);
  ERGON_EXPECTS(lines > 0);
  std::int64_t last_words = 0;
  for (std::int64_t left = lines; left > 0;) {
    Lines& front = waiting_.front();
    const std::int64_t gone = std::min(left, front.count);
    last_words = front.words_each;
    left -= gone;
    front.count -= gone;
    if (front.count == 0) waiting_.pop_front();
  }
  waiting_lines_ -= lines;
  const std::int64_t words = (lines - 1) * port_words_ + last_words;
  free_ += words;
  drained_words_ += words;
  drain_end_ = now + static_cast<double>(lines - 1);
  if (!drained_once_) first_start_ = now, latest_stop_ = drain_end_;
  drained_once_ = true;
  latest_stop_ = std::max(latest_stop_, drain_end_);
  last_stop_ = drain_end_;
}

double WriteBuffer::write_line(std::int64_t words, double now) {
  const double start = now;
  while (words > 0) {
    const bool drains = draining(now);
    const std::int64_t until_event = quiet(now).words + 1;
    if (words < until_event) {
      take(words);
      break;
    }
    take(until_event);
    words -= until_event;
    if (drains) {
      now = drain_end_;
    } else {
      close_line();
      drain(now);
    }
  }
  return now - start;
}

void WriteBuffer::finish(double now) {
  close_line();
  while (waiting_lines_ > 0) {
    drain(now);
    now = drain_end_ + 1;
  }
}

}  // namespace ergon::systolic
