#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/fleet_output.h"
#include "fleet/ingest.h"
#include "fleet/prometheus/query_times.h"

namespace ergon::app {

// The options of `ergon fleet analyze`. Those with a Result are parsed; check() reports their errors.
struct FleetAnalyzeSettings {
  std::vector<std::string> checkpoints, gpu;
  std::optional<std::string> tasks;
  Result<fleet::ColumnMapping> checkpoint_columns = fleet::ColumnMapping();
  Result<fleet::ColumnMapping> gpu_columns = fleet::ColumnMapping();
  Result<fleet::ColumnMapping> task_columns = fleet::ColumnMapping();
  Result<std::int64_t> zone_ns = std::int64_t{0};
  std::optional<std::string> prometheus;  // URL
  std::optional<Result<fleet::TimeArgument>> from, to;
  std::optional<Seconds> step, gap, max_event;
  bool keep_duplicates = false;
  FleetOutput output;

  void declare(Options& options);
  // Errors: invalid values, and options that cannot be combined.
  Result<> check() const;

  // Contract: check() passed. `now` is the reference of times such as now-2h.
  Result<fleet::FleetInputs> inputs(Timestamp now, const std::stop_token& stop) const;
  fleet::AnalysisRules rules() const;
  // All input files.
  std::vector<std::string> files() const;
};

}  // namespace ergon::app
