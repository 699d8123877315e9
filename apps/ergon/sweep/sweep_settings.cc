#include "sweep/sweep_settings.h"

#include "networks/network_options.h"
#include "sources/network_list.h"
#include "sweep/candidates.h"

namespace ergon::app {

void SweepSettings::declare(Options& options) {
  options.text("--device", device.name, "D", "gpu0 (requires CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...",
               "names from `ergon zoo`, .onnx files, or table1 (the 31 networks of the paper)");
  options.parsed(
      "--clocks", "C",
      "number of clocks, evenly spread; all; default (unlocked); or a list: 900MHz,1.2GHz (default: 20)",
      [this](std::string_view text) -> Result<> {
        auto choice = sweep::parse_clock_choice(text);
        if (!choice) return choice.error();
        clocks = std::move(*choice);
        return {};
      });
  options.positive_count("--repeat", repeats, 1000, "runs per network and clock (default: 3)");
  options.text("--out", out, "DIR", "folder for sweep.json and runs.csv");
  options.flag("--resume", resume, "continue the sweep in the folder");
  options.flag("--allow-control", allow_control, "permit locking clocks; they are restored after every run");
  options.batch("--batch", batch, "samples per iteration (default: 1)");
  options.enumeration("--scenario", scenario, "S", sweep::kScenarios,
                      "steady: warm and repeated; execution: set up, predict once (default: steady)");
  declare_precision_briefly(options, precision);
  declare_size(options, size);
  options.positive_quantity("--duration", duration, "minimum duration of a steady run (default: 1s)");
  options.renamed("--time", "--duration");
  options.positive_quantity("--warm-up", warm_up, "warm-up before a run (default: 200ms)");
  options.count("--seed", seed, "seed of the order of runs and of a twin's noise (default: 1)");
}

Result<std::vector<profile::LoadedNetwork>> SweepSettings::candidates() const {
  return sweep::load_candidates(networks, size,
                                [this](const std::string& name) -> Result<profile::LoadedNetwork> {
                                  auto loaded = sources::load_networks({name}, size);
                                  if (!loaded) return loaded.error();
                                  return std::move(loaded->front());
                                });
}

Result<sweep::Experiment> SweepSettings::experiment(
    const std::vector<profile::LoadedNetwork>& candidates) const {
  const auto common = sweep::precision_of(candidates, precision);
  if (!common) return common.error();
  sweep::Experiment experiment;
  for (const profile::LoadedNetwork& each : candidates) experiment.grid.networks.push_back(each.name);
  experiment.grid.repetitions = static_cast<std::int64_t>(repeats);
  experiment.grid.batch = batch;
  experiment.grid.scenario = scenario;
  experiment.precision = *common;
  experiment.duration = duration.value_or(experiment.duration);
  experiment.warm_up = warm_up.value_or(experiment.warm_up);
  experiment.seed = seed;
  return experiment;
}

}  // namespace ergon::app
