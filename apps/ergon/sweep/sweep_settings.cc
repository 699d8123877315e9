#include "sweep/sweep_settings.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/version.h"
#include "networks/candidates.h"
#include "profile/named.h"
#include "sweep/table_one.h"

namespace ergon::app {
namespace {}  // namespace

void SweepSettings::declare(Options& options) {
  options.text("--device", device, "D", "gpu0 (through CUDA), or a twin from `ergon devices`");
  options.list("--networks", networks, "NET,...",
               "names from `ergon zoo`, .onnx files, or table1: the 31 of the paper");
  options.text("--clocks", clocks, "C",
               "how many, evenly spread (20); all; own: the clock it is at; or 900MHz,1.2GHz,...");
  options.positive_count("--repeat", repeats, 1000, "runs of each network at each clock (3)");
  options.text("--out", out, "DIR", "the sweep's folder");
  options.flag("--resume", resume, "go on with what the folder holds");
  options.flag("--allow-control", allow_control, "permit to lock clocks; all is put back after every run");
  options.positive_count("--batch", batch, std::uint64_t{1} << 31, "images in one pass (1)");
  options.word("--scenario", scenario, "S", {"steady", "execution"},
               "steady: warm and repeated; execution: set up, predict once (steady)");
  options.word("--precision", precision, "P", {"tf32", "fp32", "bf16", "fp16"},
               "tf32, fp32, bf16, fp16 (tf32)");
  declare_size(options, size);
  options.positive_quantity("--time", time, "of a steady run, at least (1s)");
  options.positive_quantity("--warm-up", warm_up, "before it (200ms)");
  options.count("--seed", seed, "of the order, and of a twin's noise (1)");
}

device::Precision SweepSettings::precision_value() const {
  return device::precision_named(precision).value_or(device::Precision::tf32);
}

sweep::Scenario SweepSettings::scenario_value() const {
  return profile::named(scenario, {sweep::Scenario::steady, sweep::Scenario::execution})
      .value_or(sweep::Scenario::steady);
}

Result<std::vector<profile::Candidate>> SweepSettings::candidates() const {
  // What is wanted: a place, and the name it goes by unless that is its own.
  std::vector<ListedNetwork> wanted;
  for (const std::string& place : networks) {
    if (place == "table1") {
      wanted.insert(wanted.end(), table_one().begin(), table_one().end());
    } else {
      wanted.push_back({"", place});
    }
  }
  std::vector<profile::Candidate> all;
  for (const ListedNetwork& each : wanted) {
    auto loaded = load_candidates({each.place}, size);
    if (!loaded) return loaded.error();
    profile::Candidate& candidate = loaded->front();
    if (!each.name.empty()) candidate.name = each.name + (size ? fmt::format("@{}", *size) : "");
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == candidate.name; });
    if (same == all.end()) {
      all.push_back(std::move(candidate));
    } else if (same->network.family != candidate.network.family) {
      return fail(Errc::invalid_input, "{}/{} and {}/{} would both be called \"{}\"; sweep them apart",
                  same->network.family, same->network.name, candidate.network.family, candidate.network.name,
                  candidate.name);
    }
  }
  return all;
}

nlohmann::ordered_json SweepSettings::experiment(const sweep::Bench::Facts& facts,
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
            {"time_seconds", time.value_or(Seconds{1}).si()},
            {"warm_up_seconds", warm_up.value_or(Seconds{0.2}).si()},
            {"seed", seed}}}};
}

}  // namespace ergon::app
