#pragma once

#include <optional>
#include <span>

#include "systolic/energy.h"
#include "systolic/layer_run.h"

namespace ergon::systolic {

// Layers one after the other.
struct RunTotals {
  std::int64_t macs = 0, cycles = 0, stall_cycles = 0, cycles_with_prefetch = 0, memory_words = 0;
  double utilisation = 0;  // percent
  LayerEnergy energy;      // zero without energies
};

RunTotals totals_of(std::span<const LayerRun> runs, const std::optional<AccessEnergies>& energies);

}  // namespace ergon::systolic
