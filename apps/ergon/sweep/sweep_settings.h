#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "base/units.h"
#include "device/twin/precision.h"
#include "options.h"
#include "profile/plan.h"
#include "sweep/clock_choice.h"
#include "sweep/plan.h"
#include "sweep/run_executor.h"

namespace ergon::app {

// The options of `ergon sweep`.
struct SweepSettings {
  std::string device, clocks = "20", scenario = "steady", precision = "tf32", out;
  std::vector<std::string> networks;
  std::uint64_t repeats = 3, batch = 1, seed = 1;
  std::optional<std::int64_t> size;
  std::optional<Seconds> duration, warm_up;
  bool resume = false, allow_control = false;

  void declare(Options& options);
  device::Precision precision_value() const;
  sweep::Scenario scenario_value() const;
  // Loads the networks; "table1" stands for the 31 networks of the paper.
  Result<std::vector<profile::LoadedNetwork>> candidates() const;
  // The description of the experiment for sweep.json.
  nlohmann::ordered_json experiment(const sweep::RunExecutor::DeviceFacts& facts,
                                    const sweep::Grid& grid) const;
};

}  // namespace ergon::app
