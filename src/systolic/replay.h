#pragma once

#include <cstdint>

#include "base/result.h"
#include "systolic/layer_timing.h"
#include "systolic/miss_schedule.h"
#include "systolic/semantics.h"

namespace ergon::systolic {

// Words a cycle that each operand has to itself, as SCALE-Sim has it.
struct PortWords {
  std::int64_t ifmap = 0, filter = 0, ofmap = 0;

  static PortWords all(std::int64_t words) { return {words, words, words}; }
};

// What SCALE-Sim reports for finite bandwidth. Contract: ports of at least 1; not Semantics::ergon.
LayerTiming replay(const MissSchedule& schedule, const PortWords& ports, Semantics semantics);

// What SCALE-Sim reports when it calculates the bandwidth itself. Fails where SCALE-Sim divides by zero: a
// scratchpad that fills up twice in one cycle.
Result<LayerTiming> replay(const EpochSchedule& schedule, Semantics semantics);

}  // namespace ergon::systolic
