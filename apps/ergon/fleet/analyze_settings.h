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
  std::optional<Seconds> step, gap, max_event;
  bool keep_duplicates = false;
  FleetOutput output;

  void declare(Options& options);
  // Errors: invalid values, and options that cannot be combined.
  Result<> check() const;

  // `now` is the reference of times such as now-2h.
  Result<fleet::FleetInputs> inputs(Timestamp now, const std::stop_token& stop) const;
  fleet::AnalysisRules rules() const;
  // All input files.
  std::vector<std::string> files() const;
};

}  // namespace ergon::app
