#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "shell.h"
#include "sweep/runner.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

// Result of a sweep.
struct SweepOutcome {
  sweep::RunExecutor::DeviceFacts facts;
  std::vector<sweep::RunRow> rows;    // including those of earlier invocations
  sweep::SweepSummary summary;        // of this invocation
  std::int64_t already_measured = 0;  // runs of earlier invocations
};

// Executes a sweep and stores its runs in its folder or, without one, in memory. After an error, finished
// runs are in the folder.
Result<SweepOutcome> run_sweep(const SweepSettings& settings, Shell& shell);

}  // namespace ergon::app
