#pragma once

#include <optional>

#include "base/result.h"
#include "reproduce/environment.h"
#include "reproduce/reproduction.h"
#include "sweep/experiment.h"

namespace ergon::reproduce {

// "Energy-Efficient CNN inferencing on GPUs with Dynamic Frequency Scaling" on the twin of a V100S. `folder`:
// for the 18,228 executions; absent: not stored. Errors: those of study_v100s(); networks without a valid
// run.
Result<Reproduction> reproduce_v100s(const std::optional<sweep::SweepFolder>& folder,
                                     const Environment& environment);

}  // namespace ergon::reproduce
