#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/summary/fleet_summary.h"
#include "reproduce/data/data_source.h"
#include "reproduce/environment.h"

namespace ergon::reproduce {

// The study's files in a folder.
struct TeraScopeFiles {
  std::string folder;
  std::optional<FoundFile> checkpoints, samples, tasks;
  std::optional<FoundFile> gpu_means;     // true means of the GPUs
  std::optional<FoundFile> real_samples;  // the few samples that are known if `samples` are reconstructed
  bool reconstructed = false;             // gpu.csv is missing, and `samples` replace it
  std::string missing_data;               // required files that are not there, in one line; empty: none
};
// `folder`: empty: the default.
Result<TeraScopeFiles> find_terascope_files(const std::string& folder);

// Analyses of the study's files: with duplicates counted, as in the study, and with duplicates removed.
struct TeraScopeStudy {
  std::vector<std::string> files;
  fleet::FleetSummary duplicates_counted, duplicates_removed;
  bool reconstructed = true;                     // samples are reconstructed: they say nothing about the GPUs
  std::optional<fleet::FleetSummary> real_rows;  // with the few public samples of the GPUs
  bool true_means = false;  // GPU means are from per-gpu-truth.csv; false: from the samples
};

// Contract: no required file is missing. Errors: files that cannot be read; interrupted.
Result<TeraScopeStudy> study_terascope(const TeraScopeFiles& files, const Environment& environment);

}  // namespace ergon::reproduce
