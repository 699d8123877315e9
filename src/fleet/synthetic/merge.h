#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fleet/synthetic/event_stream.h"

namespace ergon::fleet::synthetic {

// Many ordered streams as one: a heap of the streams by their next key, at equal keys in the order of the
// streams. A stream has key(), ascending, and kNoMore behind its end.
template <typename Stream>
class Merge {
 public:
  explicit Merge(std::vector<Stream> streams) : streams_(std::move(streams)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (streams_[i].key() != kNoMore) heap_.push_back({streams_[i].key(), i});
    }
    for (std::size_t at = heap_.size() / 2; at-- > 0;) sink(at);
  }

  bool empty() const { return heap_.empty(); }
  // Contract of these: not empty.
  std::int64_t key() const { return heap_.front().key; }
  Stream& first() { return streams_[heap_.front().stream]; }
  // After the first stream has moved on.
  void settle() {
    heap_.front().key = first().key();
    if (heap_.front().key == kNoMore) {
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    if (!heap_.empty()) sink(0);
  }

 private:
  struct Place {
    std::int64_t key;
    std::size_t stream;

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  void sink(std::size_t at) {
    const Place moved = heap_[at];
    for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < moved)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = moved;
  }

  std::vector<Stream> streams_;
  std::vector<Place> heap_;
};

}  // namespace ergon::fleet::synthetic
