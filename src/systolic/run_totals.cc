#include "systolic/run_totals.h"

namespace ergon::systolic {

RunTotals totals_of(std::span<const LayerRun> runs, const std::optional<AccessEnergies>& energies) {
  RunTotals totals;
  double slots = 0;
  for (const LayerRun& run : runs) {
    const LayerTiming& t = run.timing;
    totals.macs += run.macs;
    totals.cycles += t.total_cycles;
    totals.stall_cycles += t.stall_cycles;
    totals.cycles_with_prefetch += t.cycles_with_prefetch;
    totals.memory_words += t.dram_ifmap.words + t.dram_filter.words + t.dram_ofmap.words;
    slots += static_cast<double>(t.total_cycles) * static_cast<double>(run.units);
    if (!energies) continue;
    const LayerEnergy energy = energy_of(run, *energies);
    totals.energy.compute += energy.compute;
    totals.energy.scratchpads += energy.scratchpads;
    totals.energy.memory += energy.memory;
  }
  if (slots > 0) totals.utilization = 100 * static_cast<double>(totals.macs) / slots;
  return totals;
}

}  // namespace ergon::systolic
