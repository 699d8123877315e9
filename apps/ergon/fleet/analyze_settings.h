#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/fleet_output.h"
#include "fleet/ingest.h"

namespace ergon::app {

// The options of `ergon fleet analyze`.
struct FleetAnalyzeSettings {
  std::vector<std::string> checkpoints, gpu;
  std::optional<std::string> tasks, time_zone;
  std::optional<std::string> checkpoint_map, gpu_map, task_map;
  std::optional<std::string> prometheus, from, to;
  std::optional<Seconds> step, gap, longest;
  bool keep_duplicates = false;
  FleetOutput output;

  void declare(Options& options);
  // What is wrong with the options as a whole.
  Result<> check() const;

  // `now` is what times such as now-2h count from.
  Result<fleet::Inputs> inputs(Timestamp now, const std::stop_token& stop) const;
  fleet::Rules rules() const;
  // The files that are read.
  std::vector<std::string> files() const;
};

}  // namespace ergon::app
