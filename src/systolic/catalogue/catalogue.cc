#include "systolic/catalogue/catalogue.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/file.h"
#include "base/text.h"
#include "systolic/catalogue/builtin.h"

namespace ergon::systolic {
namespace {

std::vector<std::string> names_of(const BuiltinFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.emplace_back(name);
  return names;
}

// The built-in of that name, or the file.
template <typename Parse>
auto find(const std::string& name, std::string_view what, const BuiltinFiles& builtin, const Parse& parse)
    -> decltype(parse(std::string_view(), std::string_view())) {
  if (lower(name).ends_with(".json")) {
    const auto text = read_file(name);
    if (!text) return text.error();
    return parse(*text, name);
  }
  for (const auto& [known, text] : builtin) {
    if (lower(name) == known) return parse(text, known);
  }
  const auto names = names_of(builtin);
  return fail(Errc::not_found, "there is no {} \"{}\"{}; there are {}, and .json files", what,
              printable(name), suggestion(name, names), fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

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
  return find(name, "accelerator", accelerator_files(), parse_accelerator);
}

Result<Memory> find_memory(const std::string& name) {
  return find(name, "memory", memory_files(), parse_memory);
}

Result<EnergyTable> find_energy_table(const std::string& name) {
  return find(name, "table of energies", energy_files(), parse_energy_table);
}

std::vector<std::string> accelerator_names() { return names_of(accelerator_files()); }

std::vector<std::string> memory_names() { return names_of(memory_files()); }

}  // namespace ergon::systolic
