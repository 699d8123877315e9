#pragma once

#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "systolic/energy.h"
#include "systolic/layer_run.h"
#include "systolic/simulate.h"

namespace ergon::report {

// {"rows", "columns", "dataflow", "scratchpad_words": {...}}
nlohmann::ordered_json machine_json(const systolic::Machine& machine);

// {"mode", "words_per_cycle": ...}
nlohmann::ordered_json port_json(const systolic::MemoryPort& port, systolic::Semantics semantics);

// One layer: cycles, utilization, accesses; time and energy where clock and energies are known.
nlohmann::ordered_json layer_run_json(const systolic::LayerRun& run, std::optional<Hertz> clock,
                                      const std::optional<systolic::AccessEnergies>& energies);

// Sums over layers, with the same names.
nlohmann::ordered_json run_totals_json(std::span<const systolic::LayerRun> runs, std::optional<Hertz> clock,
                                       const std::optional<systolic::AccessEnergies>& energies);

}  // namespace ergon::report
