#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "systolic/array.h"
#include "systolic/layer.h"
#include "systolic/layer_run.h"
#include "systolic/memory_port.h"
#include "systolic/pace.h"
#include "systolic/schedule_cache.h"
#include "systolic/semantics.h"

namespace ergon::systolic {

// Contract: the machine has been checked, the port has at least one word a cycle (a positive number in
// Semantics::ergon).
Result<LayerRun> simulate_layer(const Layer& layer, const Machine& machine, const MemoryPort& port,
                                Semantics semantics, ScheduleCache& cache, const std::stop_token& stop = {});

// All layers, on `workers` threads (0: as many as there are). Fails as cancelled when asked to stop.
Result<std::vector<LayerRun>> simulate(std::span<const Layer> layers, const Machine& machine,
                                       const MemoryPort& port, Semantics semantics, ScheduleCache& cache,
                                       std::size_t workers = 0, const std::stop_token& stop = {});

// One layer, traced already, with the array at another pace than the memory. Contract: as above, and not a
// calculated bandwidth.
PacedTiming run_at_pace(const MissSchedule& schedule, const MemoryPort& port, Semantics semantics,
                        const Pace& pace);

}  // namespace ergon::systolic
