#pragma once

#include "base/result.h"
#include "base/units.h"
#include "systolic/catalog/catalog.h"
#include "systolic/layer_run.h"

namespace ergon::systolic {

// Energy of data movement and MACs on one accelerator with one memory: access energies from a table, times
// counts. Clock tree, control and leakage are not included.
struct AccessEnergies {
  Joules mac;
  Joules ifmap_word, filter_word, ofmap_word;  // one access of a scratchpad
  Joules memory_word;
};

// Fails if the table has no energy for the accelerator's data type.
Result<AccessEnergies> access_energies(const Accelerator& accelerator, const EnergyTable& table,
                                       const Memory& memory);

struct LayerEnergy {
  Joules compute, scratchpads, memory;
  Joules total() const { return compute + scratchpads + memory; }
};

// A word between scratchpad and memory counts as an access of both.
LayerEnergy energy_of(const LayerRun& run, const AccessEnergies& energies);

}  // namespace ergon::systolic
