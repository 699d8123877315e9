#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "systolic/trace/operand_stream.h"

namespace ergon::systolic {

// Layout of a read scratchpad. The stream is divided into sets of 1/100 of the scratchpad. The serving half
// holds `active` consecutive sets; a miss advances it by `prefetched` sets, wrapping at the end of the
// stream.
struct PrefetchPlan {
  std::int64_t active_words = 0;      // capacity of the half that serves
  std::int64_t prefetched_words = 0;  // capacity of the other half
  std::int64_t set_words = 0;
  std::int64_t sets = 0, active = 0, prefetched = 0;
  std::int64_t slots = 0, words = 0;  // of the stream: with holes and without

  PrefetchPlan(std::int64_t scratchpad_words, const OperandStream& stream)
      : active_words((scratchpad_words + 1) / 2),
        prefetched_words(scratchpad_words - active_words),
        set_words((scratchpad_words + 99) / 100),
        sets(stream.words() / set_words + 1),
        slots(stream.slots()),
        words(stream.words()) {
    const auto sets_of = [this](std::int64_t w) { return (w + set_words - 1) / set_words; };
    active = std::min(sets, sets_of(active_words));
    prefetched = std::min(sets - active, sets_of(prefetched_words));
  }

  bool holds_all() const { return active == sets; }

  // Words in `count` sets from `first` on, around the end; the last set of the stream is not full.
  std::int64_t words_of(std::int64_t first, std::int64_t count) const {
    const bool with_last = first % sets + count >= sets;
    return count * set_words - (with_last ? sets * set_words - words : 0);
  }
};

// The sets in the serving half, as intervals of stream positions.
class PrefetchWindow {
 public:
  struct Interval {
    StreamPosition begin, end;
    bool contains(const StreamPosition& position) const { return begin <= position && position < end; }
  };

  PrefetchWindow(const PrefetchPlan& plan, const OperandStream& stream) : plan_(plan), stream_(stream) {
    locate();
  }

  std::span<const Interval> intervals() const { return {intervals_.data(), count_}; }

  // How often the window must advance until it holds this set.
  std::int64_t moves_until(std::int64_t set) const {
    const std::int64_t ahead = (set - start_ + plan_.sets) % plan_.sets;
    return ahead < plan_.active ? 0 : (ahead - plan_.active) / plan_.prefetched + 1;
  }

  void move(std::int64_t times) {
    const std::int64_t end_before = start_ + plan_.active;
    start_ = (start_ + times % plan_.sets * plan_.prefetched) % plan_.sets;
    // With halves of equal size the window ends where it began.
    std::optional<StreamPosition> begin;
    if (start_ == end_before) begin = intervals_[0].end;
    locate(begin);
  }

 private:
  void locate(std::optional<StreamPosition> begin = {}) {
    const auto at = [this](std::int64_t set) { return stream_.position_of_rank(set * plan_.set_words); };
    if (!begin) begin = at(start_);
    const StreamPosition nowhere = stream_.position_of_rank(stream_.words());
    const std::int64_t end = start_ + plan_.active;
    if (end <= plan_.sets) {
      intervals_[0] = {*begin, end == plan_.sets ? nowhere : at(end)};
      count_ = 1;
    } else {
      intervals_[0] = {*begin, nowhere};
      intervals_[1] = {StreamPosition{}, at(end - plan_.sets)};
      count_ = 2;
    }
  }

  const PrefetchPlan& plan_;
  const OperandStream& stream_;
  std::int64_t start_ = 0;
  std::array<Interval, 2> intervals_;
  std::size_t count_ = 0;
};

}  // namespace ergon::systolic
