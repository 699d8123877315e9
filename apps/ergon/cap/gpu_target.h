#pragma once

#include "cap/cap_target.h"
#include "shell.h"

namespace ergon::app {

// A GPU of this machine, through CUDA or the fake driver. Sets the clock only with --allow-control. Errors:
// no such GPU; no engine that runs networks on it; a network that does not fit or cannot run.
Result<CapTarget> gpu_target(const CapSettings& settings, Shell& shell);

}  // namespace ergon::app
