#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "systolic/energy.h"
#include "systolic/layer_run.h"
#include "systolic/setup/design_grid.h"
#include "systolic/setup/engine.h"
#include "systolic/setup/setup.h"
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

// Body of `ergon simulate`: setup, totals and layers.
nlohmann::ordered_json simulation_json(const std::string& network, const systolic::Setup& setup,
                                       systolic::Engine engine, std::span<const systolic::LayerRun> runs);

// Body of `ergon simulate sweep`. `traced_layers` counts the layers whose misses were traced. Contract: at
// least one point.
nlohmann::ordered_json design_points_json(const std::string& network,
                                          const std::vector<systolic::DesignPoint>& points,
                                          std::size_t traced_layers);
// The same points as CSV.
std::string design_points_csv(const std::vector<systolic::DesignPoint>& points);

}  // namespace ergon::report
