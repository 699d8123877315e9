#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "shell.h"
#include "sweep/runner.h"
#include "sweep/sweep_settings.h"

namespace ergon::app {

// All that is known of a sweep when it is done.
struct SweepOutcome {
  sweep::Bench::Facts facts;
  std::vector<sweep::RunRow> rows;  // those that were there before too
  sweep::SweepSummary summary;      // of this time
  std::int64_t known = 0;           // runs that were there before
};

// Carries out a sweep, into its folder or, without one, in memory. Errors: whatever a sweep can meet; what
// was finished by then is in the folder.
Result<SweepOutcome> run_sweep(const SweepSettings& settings, Shell& shell);

}  // namespace ergon::app
