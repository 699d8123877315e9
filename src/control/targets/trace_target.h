#pragma once

#include "control/targets/target.h"

namespace ergon::control {

// A network replayed from a measured table (plants/trace.h). Without permission to set the clock it runs at
// the highest clock of the table. Errors: those of read_trace(); a batch outside the measured range.
Result<Target> trace_target(const std::string& file, const std::string& network,
                            const TargetSettings& settings);

}  // namespace ergon::control
