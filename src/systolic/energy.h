#pragma once

#include "base/result.h"
#include "base/units.h"
#include "systolic/catalogue/catalogue.h"
#include "systolic/layer_run.h"

namespace ergon::systolic {

// What moving and multiplying costs on one accelerator with one memory: access energies from a table, times
// counts. Clocks, control and leakage are not in it.
struct AccessEnergies {
  Joules mac;
  Joules ifmap_word, filter_word, ofmap_word;  // one access of a scratchpad
  Joules memory_word;
};

// Fails when the table does not know the accelerator's kind of number.
Result<AccessEnergies> access_energies(const Accelerator& accelerator, const EnergyTable& table,
                                       const Memory& memory);

struct LayerEnergy {
  Joules compute, scratchpads, memory;
  Joules total() const { return compute + scratchpads + memory; }
};

// Words between scratchpads and memory are accesses of both.
LayerEnergy energy_of(const LayerRun& run, const AccessEnergies& energies);

}  // namespace ergon::systolic
