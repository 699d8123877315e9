#include "systolic/energy.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::systolic {
namespace {

constexpr double kBitsPerByte = 8;

}  // namespace

Result<AccessEnergies> access_energies(const Accelerator& accelerator, const EnergyTable& table,
                                       const Memory& memory) {
  const auto mac = table.mac.find(accelerator.mac);
  if (mac == table.mac.end()) {
    std::vector<std::string> kinds;
    for (const auto& [kind, energy] : table.mac) kinds.push_back(kind);
    return fail(Errc::not_found, "{} multiplies \"{}\", and {} knows only {}", accelerator.name,
                printable(accelerator.mac), table.name, fmt::format("{}", fmt::join(kinds, ", ")));
  }
  const double word_bits = kBitsPerByte * static_cast<double>(accelerator.memory_bytes_per_word);
  const auto scratchpad_word = [&](std::int64_t words) {
    const Bytes capacity = bytes(static_cast<std::uint64_t>(words * accelerator.scratchpad_bytes_per_word));
    return table.scratchpad_per_bit(capacity) * word_bits;
  };
  const Scratchpads& pads = accelerator.machine.scratchpads;
  return AccessEnergies{mac->second, scratchpad_word(pads.ifmap), scratchpad_word(pads.filter),
                        scratchpad_word(pads.ofmap), memory.energy_per_bit * word_bits};
}

LayerEnergy energy_of(const LayerRun& run, const AccessEnergies& energies) {
  const LayerTiming& t = run.timing;
  const auto words = [](std::int64_t a, std::int64_t b = 0) { return static_cast<double>(a + b); };
  return {energies.mac * words(run.macs),
          energies.ifmap_word * words(t.sram_ifmap.words, t.dram_ifmap.words) +
              energies.filter_word * words(t.sram_filter.words, t.dram_filter.words) +
              energies.ofmap_word * words(t.sram_ofmap.words, t.dram_ofmap.words),
          energies.memory_word * words(t.dram_ifmap.words + t.dram_filter.words, t.dram_ofmap.words)};
}

}  // namespace ergon::systolic
