#include "sweep/experiment.h"

#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "base/version.h"
#include "sweep/run_log.h"

namespace ergon::sweep {

nlohmann::ordered_json experiment_json(const Experiment& experiment, const RunExecutor::DeviceFacts& facts) {
  using Json = nlohmann::ordered_json;
  const Grid& grid = experiment.grid;
  Json clocks = Json::array();
  for (const auto& clock : grid.clocks) clocks.push_back(clock ? Json(clock->si() / kMega) : Json(nullptr));
  return {{"simulated", facts.simulated},
          {"ergon", build_facts().version},
          {"commit", build_facts().commit},
          {"experiment",
           {{"device", facts.device},
            {"model", facts.model.empty() ? Json(nullptr) : Json(facts.model)},
            {"networks", grid.networks},
            {"clocks_mhz", std::move(clocks)},
            {"repetitions", grid.repetitions},
            {"batch", grid.batch},
            {"scenario", name_of(grid.scenario)},
            {"precision", name_of(experiment.precision)},
            {"time_seconds", experiment.duration.si()},
            {"warm_up_seconds", experiment.warm_up.si()},
            {"seed", experiment.seed}}}};
}

Result<SweepOutcome> run_experiment(const Experiment& experiment, RunExecutor& executor,
                                    const std::optional<SweepFolder>& folder,
                                    const SweepCallbacks& callbacks) {
  SweepOutcome outcome;
  outcome.facts = executor.facts();
  std::optional<RunLog> log;
  if (folder) {
    auto opened = RunLog::open(folder->path, experiment_json(experiment, outcome.facts), folder->resume);
    if (!opened) return opened.error();
    log.emplace(std::move(*opened));
    outcome.rows = log->rows();
  }
  std::vector<Run> left;
  for (Run& run : plan(experiment.grid, experiment.seed)) {
    if (log && log->holds(run)) {
      ++outcome.already_measured;
    } else {
      left.push_back(std::move(run));
    }
  }
  if (callbacks.on_start) callbacks.on_start(left.size());
  const auto store = [&](const RunRow& row) -> Result<> {
    if (log) {
      if (auto appended = log->append(row); !appended) return appended;
    }
    outcome.rows.push_back(row);
    if (callbacks.on_run) callbacks.on_run();
    return {};
  };
  const auto summary = execute_runs(left, executor, store, callbacks.stop);
  if (!summary) return summary.error();
  outcome.summary = *summary;
  return outcome;
}

}  // namespace ergon::sweep
