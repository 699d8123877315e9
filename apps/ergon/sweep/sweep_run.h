#pragma once

#include "base/result.h"
#include "shell.h"
#include "sweep/experiment.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

// Executes a sweep with progress, and stores its runs in its folder. After an error, finished runs are in the
// folder, and a note says so.
Result<sweep::SweepOutcome> run_sweep(const SweepSettings& settings, Shell& shell);

}  // namespace ergon::app
