#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ergon::systolic {

// Words per cycle of each operand, as in SCALE-Sim.
struct PortWords {
  std::int64_t ifmap = 0, filter = 0, ofmap = 0;

  static PortWords all(std::int64_t words) { return {words, words, words}; }
};

// What feeds the scratchpads.
struct MemoryPort {
  bool calculated = false;   // as much bandwidth as it takes; nothing else counts then
  PortWords ports;           // words per cycle of each operand's own port (not Semantics::ergon)
  double channel_words = 0;  // words per cycle of the shared channel (Semantics::ergon)

  static MemoryPort as_needed() { return {.calculated = true}; }
  // The same bandwidth in either reading; only whole words count where every operand has its own port.
  static MemoryPort of(double words_per_cycle) {
    const double whole = std::clamp(std::floor(words_per_cycle), 0.0, 1e15);
    return {false, PortWords::all(static_cast<std::int64_t>(whole)), words_per_cycle};
  }
};

}  // namespace ergon::systolic
