#include "sweep/sweep_settings.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/version.h"
#include "networks/network_list.h"
#include "profile/named.h"
#include "sweep/table_one.h"

namespace ergon::app {

void SweepSettings::declare(Options& options) {
  options.text("--device", device, "D", "gpu0 (requires CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...",
               "names from `ergon zoo`, .onnx files, or table1 (the 31 networks of the paper)");
  options.text(
      "--clocks", clocks, "C",
      "number of clocks, evenly spread; all; default (unlocked); or a list: 900MHz,1.2GHz (default: 20)");
  options.positive_count("--repeat", repeats, 1000, "runs per network and clock (default: 3)");
  options.text("--out", out, "DIR", "folder for sweep.json and runs.csv");
  options.flag("--resume", resume, "continue the sweep in the folder");
  options.flag("--allow-control", allow_control, "permit locking clocks; they are restored after every run");
  options.positive_count("--batch", batch, std::uint64_t{1} << 31, "samples per iteration (default: 1)");
  options.choice("--scenario", scenario, "S", {"steady", "execution"},
                 "steady: warm and repeated; execution: set up, predict once (default: steady)");
  options.choice("--precision", precision, "P", {"tf32", "fp32", "bf16", "fp16"},
                 "data type: tf32, fp32, bf16, fp16 (default: tf32)");
  declare_size(options, size);
  options.positive_quantity("--duration", duration, "minimum duration of a steady run (default: 1s)");
  options.renamed("--time", "--duration");
  options.positive_quantity("--warm-up", warm_up, "warm-up before a run (default: 200ms)");
  options.count("--seed", seed, "seed of the order of runs and of a twin's noise (default: 1)");
}

device::Precision SweepSettings::precision_value() const {
  return device::precision_named(precision).value_or(device::Precision::tf32);
}

sweep::Scenario SweepSettings::scenario_value() const {
  return profile::named(scenario, {sweep::Scenario::steady, sweep::Scenario::execution})
      .value_or(sweep::Scenario::steady);
}

Result<std::vector<profile::LoadedNetwork>> SweepSettings::candidates() const {
  std::vector<ListedNetwork> listed;  // an empty name means the name of the loaded network
  for (const std::string& network : networks) {
    if (network == "table1") {
      listed.insert(listed.end(), table_one().begin(), table_one().end());
    } else {
      listed.push_back({"", network});
    }
  }
  std::vector<profile::LoadedNetwork> all;
  for (const ListedNetwork& each : listed) {
    auto loaded = load_networks({each.zoo_name}, size);
    if (!loaded) return loaded.error();
    profile::LoadedNetwork& candidate = loaded->front();
    if (!each.name.empty()) candidate.name = each.name + (size ? fmt::format("@{}", *size) : "");
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == candidate.name; });
    if (same == all.end()) {
      all.push_back(std::move(candidate));
    } else if (same->network.family != candidate.network.family) {
      return fail(Errc::invalid_input, "{}/{} and {}/{} have the same name \"{}\"; use separate sweeps",
                  same->network.family, same->network.name, candidate.network.family, candidate.network.name,
                  candidate.name);
    }
  }
  return all;
}

nlohmann::ordered_json SweepSettings::experiment(const sweep::RunExecutor::DeviceFacts& facts,
                                                 const sweep::Grid& grid) const {
  nlohmann::ordered_json clock_list = nlohmann::ordered_json::array();
  for (const auto& clock : grid.clocks)
    clock_list.push_back(clock ? nlohmann::ordered_json(clock->si() / kMega)
                               : nlohmann::ordered_json(nullptr));
  return {{"simulated", facts.simulated},
          {"ergon", build_facts().version},
          {"commit", build_facts().commit},
          {"experiment",
           {{"device", facts.device},
            {"model",
             facts.model.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(facts.model)},
            {"networks", grid.networks},
            {"clocks_mhz", clock_list},
            {"repetitions", grid.repetitions},
            {"batch", grid.batch},
            {"scenario", scenario},
            {"precision", precision},
            {"time_seconds", duration.value_or(Seconds{1}).si()},
            {"warm_up_seconds", warm_up.value_or(Seconds{0.2}).si()},
            {"seed", seed}}}};
}

}  // namespace ergon::app
