#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "sweep/run.h"
#include "sweep/run_executor.h"

namespace ergon::sweep {

struct SweepSummary {
  std::int64_t runs = 0;     // executed
  std::int64_t invalid = 0;  // of these, not valid

  bool none_valid() const { return runs > 0 && invalid == runs; }
};

// Called for each finished run. Errors end the sweep.
using OnRun = std::function<Result<>(const RunRow&)>;

// Executes all runs, up to max_parallel_runs at a time. `on_run` is called by one thread at a time. Errors:
// of the executor; of `on_run`; a stop request. Runs that finished before an error were passed to `on_run`.
Result<SweepSummary> execute_runs(const std::vector<Run>& runs, RunExecutor& executor, const OnRun& on_run,
                                  const std::stop_token& stop);

}  // namespace ergon::sweep
