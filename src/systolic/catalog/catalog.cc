#include "systolic/catalog/catalog.h"

#include <cmath>

#include "base/builtin_files.h"
#include "base/contract.h"
#include "systolic/catalog/builtin.h"

namespace ergon::systolic {
Joules EnergyTable::scratchpad_per_bit(Bytes capacity) const {
  ERGON_EXPECTS(!scratchpads.empty());
  if (scratchpads.size() == 1) return scratchpads[0].per_bit;
  std::size_t upper = 1;
  while (upper + 1 < scratchpads.size() && scratchpads[upper].capacity < capacity) ++upper;
  const Scratchpad& a = scratchpads[upper - 1];
  const Scratchpad& b = scratchpads[upper];
  const double slope = std::log((b.per_bit / a.per_bit).si()) / std::log((b.capacity / a.capacity).si());
  return a.per_bit * std::pow((capacity / a.capacity).si(), slope);
}

double words_per_cycle(const Accelerator& accelerator, const Memory& memory, Hertz clock) {
  const auto calibrated = accelerator.calibrated_words_per_cycle.find(memory.name);
  if (calibrated != accelerator.calibrated_words_per_cycle.end()) {
    return static_cast<double>(calibrated->second) * (accelerator.clock / clock).si();
  }
  return memory.effective.si() * accelerator.memory_share /
         (clock.si() * static_cast<double>(accelerator.memory_bytes_per_word));
}

Result<Accelerator> find_accelerator(const std::string& name) {
  return find_listed(name, "accelerator", accelerator_files(), parse_accelerator);
}

Result<Memory> find_memory(const std::string& name) {
  return find_listed(name, "memory", memory_files(), parse_memory);
}

Result<EnergyTable> find_energy_table(const std::string& name) {
  return find_listed(name, "table of energies", energy_files(), parse_energy_table);
}

std::vector<std::string> accelerator_names() { return names_of(accelerator_files()); }

std::vector<std::string> memory_names() { return names_of(memory_files()); }

}  // namespace ergon::systolic
