#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "systolic/array/array.h"
#include "systolic/array/layer.h"
#include "systolic/layer_run.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/pace.h"
#include "systolic/replay/semantics.h"
#include "systolic/trace/schedule_cache.h"

namespace ergon::systolic {

// Contract: Machine::check() passed; the port has at least one word per cycle (any positive number with
// Semantics::ergon).
Result<LayerRun> simulate_layer(const Layer& layer, const Machine& machine, const MemoryPort& port,
                                Semantics semantics, ScheduleCache& cache, const std::stop_token& stop = {});

// All layers, on `workers` threads (0: one per core). Fails with Errc::cancelled when a stop is requested.
Result<std::vector<LayerRun>> simulate(std::span<const Layer> layers, const Machine& machine,
                                       const MemoryPort& port, Semantics semantics, ScheduleCache& cache,
                                       std::size_t workers = 0, const std::stop_token& stop = {});

// One traced layer with the array at another clock than the memory. Contract: as above, and not a calculated
// bandwidth.
PacedTiming run_at_pace(const MissSchedule& schedule, const MemoryPort& port, Semantics semantics,
                        const Pace& pace);

}  // namespace ergon::systolic
