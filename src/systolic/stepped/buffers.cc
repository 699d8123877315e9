#include "systolic/stepped/buffers.h"

#include <algorithm>

#include "systolic/stepped/trace.h"

namespace ergon::systolic::stepped {
namespace {

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

SetWindow::SetWindow(std::int64_t scratchpad_words, const std::vector<std::int64_t>& stream) {
  const std::int64_t set_words = ceiling(scratchpad_words, 100);
  sets_.emplace_back();
  for (const std::int64_t address : stream) {
    if (!asks(address)) continue;
    sets_.back().addresses.insert(address);
    if (++sets_.back().words == set_words) sets_.emplace_back();
  }
  const std::int64_t serving = ceiling(scratchpad_words, 2);
  active_ = std::min(sets_.size(), static_cast<std::size_t>(ceiling(serving, set_words)));
  prefetched_ = std::min(sets_.size() - active_,
                         static_cast<std::size_t>(ceiling(scratchpad_words - serving, set_words)));
}

bool SetWindow::holds(std::int64_t address) const {
  for (std::size_t i = 0; i < active_; ++i) {
    if (sets_[(start_ + i) % sets_.size()].addresses.contains(address)) return true;
  }
  return false;
}

void SetWindow::move() { start_ = (start_ + prefetched_) % sets_.size(); }

std::int64_t SetWindow::words_held() const {
  std::int64_t words = 0;
  for (std::size_t i = 0; i < active_; ++i) words += sets_[(start_ + i) % sets_.size()].words;
  return words;
}

std::int64_t SetWindow::words_next() const {
  std::int64_t words = 0;
  for (std::size_t i = 0; i < prefetched_; ++i) words += sets_[(start_ + active_ + i) % sets_.size()].words;
  return words;
}

ReadBuffer::ReadBuffer(std::int64_t scratchpad_words, const std::vector<std::int64_t>& stream,
                       std::int64_t words_per_cycle, Semantics semantics)
    : window_(scratchpad_words, stream), words_per_cycle_(words_per_cycle), semantics_(semantics) {
  const std::int64_t serving = ceiling(scratchpad_words, 2);
  const std::int64_t lines = std::min(ceiling(serving, words_per_cycle),
                                      ceiling(static_cast<std::int64_t>(stream.size()), words_per_cycle));
  piece_cycles_ = ceiling(scratchpad_words - serving, words_per_cycle);
  dram_ = {-lines, -1, lines * words_per_cycle};
}

std::int64_t ReadBuffer::serve(const std::vector<std::int64_t>& line, std::int64_t now) {
  std::int64_t offset = 1;
  for (const std::int64_t address : line) {
    if (!asks(address)) continue;
    while (!window_.holds(address)) {
      window_.move();
      dram_.stop += piece_cycles_ + 1;
      dram_.words += piece_cycles_ * words_per_cycle_;
      const std::int64_t wait = dram_.stop - (now + offset);
      if (semantics_ == Semantics::v3) {
        offset += wait;
        if (wait > 0) offset += wait;
      } else if (semantics_ == Semantics::v2) {
        if (wait > 0) offset += wait;
      } else {
        offset += wait;
      }
    }
  }
  return offset;
}

EstimatingBuffer::EstimatingBuffer(std::int64_t scratchpad_words) : set_words_(scratchpad_words / 100) {}

void EstimatingBuffer::serve(const std::vector<std::int64_t>& line, std::int64_t now) {
  for (const std::int64_t address : line) {
    if (!asks(address)) continue;
    if (!first_request_) first_request_ = now;
    if (!epoch_.insert(address).second) continue;
    ++fetched_;
    if (static_cast<std::int64_t>(epoch_.size()) < 50 * set_words_) continue;
    epoch_.clear();
    if (last_full_ == now) sound_ = false;
    last_full_ = now;
  }
}

Accesses EstimatingBuffer::dram() const {
  if (!last_full_) return {-ceiling(ceiling(fetched_, set_words_) * set_words_, 10), -1, fetched_};
  return {*first_request_ - ceiling(50 * set_words_, 10), *last_full_ + 1, fetched_};
}

Accesses EstimatingBuffer::plain_dram() const {
  if (!last_full_) return {-ceiling(fetched_, 10), -1, fetched_};
  return {*first_request_ - ceiling(50 * set_words_, 10), *last_full_, fetched_};
}

WriteBuffer::WriteBuffer(std::int64_t scratchpad_words, std::int64_t port_words)
    : total_words_(scratchpad_words),
      serving_words_(ceiling(scratchpad_words, 2)),
      port_words_(port_words),
      free_words_(scratchpad_words) {}

std::int64_t WriteBuffer::serve(const std::vector<std::int64_t>& line, std::int64_t now) {
  for (const std::int64_t address : line) {
    if (!asks(address)) continue;
    if (!open_) lines_.push_back(0);
    open_ = ++lines_.back() < port_words_;
    --free_words_;
    if (now < drain_end_) {
      if (free_words_ <= 0) now = drain_end_;
    } else if (free_words_ < serving_words_) {
      open_ = false;
      drain(now);
    }
  }
  return now;
}

void WriteBuffer::drain(std::int64_t now) {
  const auto most = static_cast<std::size_t>(ceiling(total_words_ - serving_words_, port_words_));
  const std::size_t end = std::min(lines_.size(), drained_lines_ + most);
  const auto lines = static_cast<std::int64_t>(end - drained_lines_);
  const std::int64_t words = (lines - 1) * port_words_ + lines_[end - 1];
  for (std::int64_t i = 0; i < lines; ++i) cycles_.push_back(now + i);
  drained_lines_ = end;
  drain_end_ = now + lines - 1;
  free_words_ += words;
  words_ += words;
}

void WriteBuffer::finish(std::int64_t now) {
  open_ = false;
  while (drained_lines_ < lines_.size()) {
    drain(now);
    now = drain_end_ + 1;
  }
}

Accesses WriteBuffer::dram(Semantics semantics) const {
  if (semantics != Semantics::v3) return {cycles_.front(), cycles_.back(), words_};
  const auto [least, most] = std::minmax_element(cycles_.begin(), cycles_.end());
  return {*least, *most, words_};
}

}  // namespace ergon::systolic::stepped
