#pragma once

#include <cstdint>

namespace ergon::systolic {

// Words transferred, and the cycles of the first and the last transfer.
struct Accesses {
  std::int64_t start = 0, stop = 0;
  std::int64_t words = 0;

  friend bool operator==(const Accesses&, const Accesses&) = default;
};

// Cycles as in SCALE-Sim's reports.
constexpr std::int64_t whole(double cycles) { return static_cast<std::int64_t>(cycles); }

// Timing of one layer on one array with one memory. Cycles count from the first line; prefetching happens at
// negative cycles.
struct LayerTiming {
  std::int64_t total_cycles = 0;
  std::int64_t stall_cycles = 0;
  std::int64_t cycles_with_prefetch = 0;  // from the first word fetched to the last word written back
  Accesses sram_ifmap, sram_filter, sram_ofmap;
  Accesses dram_ifmap, dram_filter, dram_ofmap;

  friend bool operator==(const LayerTiming&, const LayerTiming&) = default;
};

}  // namespace ergon::systolic
