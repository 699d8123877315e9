#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fleet/synthetic/event_stream.h"

namespace ergon::fleet::synthetic {

// Merges ordered streams: a binary heap of the streams by their next key, at equal keys in order of the
// streams. A stream has key(), ascending, and kEndOfStream after the last row.
template <typename Stream>
class StreamMerge {
 public:
  explicit StreamMerge(std::vector<Stream> streams) : streams_(std::move(streams)) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (streams_[i].key() != kEndOfStream) heap_.push_back({streams_[i].key(), i});
    }
    for (std::size_t at = heap_.size() / 2; at-- > 0;) sink(at);
  }

  bool empty() const { return heap_.empty(); }
  // Contract: not empty.
  std::int64_t key() const { return heap_.front().key; }
  Stream& first() { return streams_[heap_.front().stream]; }
  // To be called after the first stream has advanced.
  void update_first() {
    heap_.front().key = first().key();
    if (heap_.front().key == kEndOfStream) {
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    if (!heap_.empty()) sink(0);
  }

 private:
  struct HeapEntry {
    std::int64_t key;
    std::size_t stream;

    friend auto operator<=>(const HeapEntry&, const HeapEntry&) = default;
  };

  void sink(std::size_t at) {
    const HeapEntry moved = heap_[at];
    for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < moved)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = moved;
  }

  std::vector<Stream> streams_;
  std::vector<HeapEntry> heap_;
};

}  // namespace ergon::fleet::synthetic
