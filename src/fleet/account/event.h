#pragma once

#include <cstdint>

#include "base/timestamp.h"

namespace ergon::fleet {

// A START and the STOP that belongs to it, on one host.
struct Event {
  Timestamp start, stop;
  std::uint64_t task = 0, place = 0;  // see Checkpoint
  std::uint16_t name = 0, level = 0;

  Seconds duration() const { return stop - start; }
};

// A START or a STOP that found no partner on its host.
struct Leftover {
  Timestamp at;
  std::uint64_t task = 0;
  std::uint16_t name = 0;
  bool start = false;
  bool running = false;  // a START behind which only its own task noted anything

  friend bool operator==(const Leftover&, const Leftover&) = default;
};

}  // namespace ergon::fleet
