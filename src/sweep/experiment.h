#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "base/units.h"
#include "device/twin/precision.h"
#include "sweep/plan.h"
#include "sweep/run_executor.h"
#include "sweep/runner.h"

namespace ergon::sweep {

// A sweep as its folder describes it. A folder is continued only with the experiment that it was begun with.
struct Experiment {
  Grid grid;
  device::Precision precision = device::Precision::tf32;
  Seconds duration = kDefaultDuration, warm_up = kDefaultWarmUp;  // of a steady run
  std::uint64_t seed = 1;
};

// The contents of sweep.json.
nlohmann::ordered_json experiment_json(const Experiment& experiment, const RunExecutor::DeviceFacts& facts);

struct SweepFolder {
  std::string path;
  bool resume = false;
};

struct SweepCallbacks {
  std::function<void(std::size_t runs)> on_start;  // number of runs that are left; may be empty
  std::function<void()> on_run;                    // after each finished run; may be empty
  std::stop_token stop;
};

struct SweepOutcome {
  RunExecutor::DeviceFacts facts;
  std::vector<RunRow> rows;           // including those of earlier sweeps in the folder
  SweepSummary summary;               // of this sweep
  std::int64_t already_measured = 0;  // runs of earlier sweeps
};

// Executes the runs of an experiment that its folder does not have yet. Rows are stored in the folder or,
// without one, in memory only. Errors: of the folder, of the executor, a stop request. After an error,
// finished runs are in the folder.
Result<SweepOutcome> run_experiment(const Experiment& experiment, RunExecutor& executor,
                                    const std::optional<SweepFolder>& folder,
                                    const SweepCallbacks& callbacks);

}  // namespace ergon::sweep
