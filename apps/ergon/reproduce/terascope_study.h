#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/summary/fleet_summary.h"
#include "shell.h"

namespace ergon::app {

// Analyses of the study's files: with duplicates counted, as in the study, and with duplicates removed.
struct TeraScopeStudy {
  std::string folder;
  std::vector<std::string> files;
  fleet::FleetSummary duplicates_counted, duplicates_removed;
  std::optional<fleet::FleetSummary> real_rows;  // with the few public samples of the GPUs
  bool true_means = false;  // GPU means are from per-gpu-truth.csv; false: from the reconstructed samples
};

// `folder`: of the study's files; empty: the default. Errors: missing files.
Result<TeraScopeStudy> study_terascope(const std::string& folder, Shell& shell);

}  // namespace ergon::app
