#pragma once

#include <cstdint>

#include "base/timestamp.h"

namespace ergon::fleet {

// A START and its STOP on one host.
struct Event {
  Timestamp start, stop;
  std::uint64_t task = 0, task_offset = 0;  // see Checkpoint
  std::uint16_t name = 0, level = 0;

  Seconds duration() const { return stop - start; }
};

// A START without a STOP, or a STOP without a START, on its host.
struct UnpairedCheckpoint {
  Timestamp at;
  std::uint64_t task = 0;
  std::uint16_t name = 0;
  bool start = false;
  bool running = false;  // a START after which no other task logged a checkpoint: it may still be running

  friend bool operator==(const UnpairedCheckpoint&, const UnpairedCheckpoint&) = default;
};

}  // namespace ergon::fleet
