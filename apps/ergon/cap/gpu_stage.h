#pragma once

#include "cap/plant_source.h"
#include "shell.h"

namespace ergon::app {

// A GPU of this machine: through CUDA, or of the fake driver. Its clock is set only with --allow-control.
// Errors: no such GPU, or nothing that runs networks on it; a network that does not fit or cannot be run.
Result<Stage> gpu_stage(const CapSettings& settings, Shell& shell);

}  // namespace ergon::app
