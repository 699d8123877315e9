#pragma once

#include "base/result.h"
#include "systolic/replay/layer_timing.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/pace.h"
#include "systolic/replay/semantics.h"
#include "systolic/trace/miss_schedule.h"

namespace ergon::systolic {

// SCALE-Sim's timing for finite bandwidth. Contract: ports of at least 1; not Semantics::ergon.
LayerTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics);

// The same misses with the array at another clock than the memory. Equal to the above at full speed.
PacedTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics,
                   const Pace& pace);

// SCALE-Sim's timing when it calculates the bandwidth itself. Fails where SCALE-Sim divides by zero: when a
// scratchpad fills twice in one cycle.
Result<LayerTiming> replay(const EpochSchedule& schedule, Semantics semantics);

}  // namespace ergon::systolic
