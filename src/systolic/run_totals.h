#pragma once

#include <optional>
#include <span>

#include "base/units.h"
#include "systolic/energy.h"
#include "systolic/layer_run.h"

namespace ergon::systolic {

// Time of a number of cycles.
inline Seconds duration(std::int64_t count, Hertz clock) {
  return Cycles{static_cast<double>(count)} / clock;
}

// Totals over layers that run in sequence.
struct RunTotals {
  std::int64_t macs = 0, cycles = 0, stall_cycles = 0, cycles_with_prefetch = 0, memory_words = 0;
  double utilization = 0;  // percent
  LayerEnergy energy;      // zero without energies
};

RunTotals totals_of(std::span<const LayerRun> runs, const std::optional<AccessEnergies>& energies);

}  // namespace ergon::systolic
