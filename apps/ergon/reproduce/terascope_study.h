#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/answers/answers.h"
#include "shell.h"

namespace ergon::app {

// The study's files, analysed as it counted (duplicates kept, the GPUs' means as it had them) and as they
// should be.
struct TeraScopeStudy {
  std::string folder;
  std::vector<std::string> files;
  fleet::FleetAnswers counted_as_there, duplicates_removed;
  std::optional<fleet::FleetAnswers> real_rows;  // with the few samples that are the GPUs' own
  bool true_means = false;  // of GPUs, from per-gpu-truth.csv; else those of the reconstructed samples
};

// Errors: files that are not there.
Result<TeraScopeStudy> study_terascope(const std::string& folder, Shell& shell);

}  // namespace ergon::app
