#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "shell.h"
#include "sweep/experiment.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

struct SweepRun {
  sweep::SweepOutcome outcome;
  std::vector<std::string> warnings;  // those of SweepExecutor
};

// Executes a sweep with progress, and stores its runs in its folder. Warnings are noted before the first run.
// After an error, finished runs are in the folder, and a note says so.
Result<SweepRun> run_sweep(const SweepSettings& settings, Shell& shell);

}  // namespace ergon::app
