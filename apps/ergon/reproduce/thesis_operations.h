#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/model.h"
#include "predict/sample.h"
#include "shell.h"

namespace ergon::app {

// How well a learner meets operations it never saw, over all of them together.
struct OperationScore {
  std::string device;
  predict::Kind kind;
  predict::Score time, power;
};

// Operations of the thesis's tables, learned and asked for: by cross-validation, and with a fifth of them
// held out once. An operation, at whatever mode or precision, never stands on both sides.
struct OperationStudy {
  std::uint64_t folds = 15;
  std::vector<OperationScore> cross_validated, held_out;
  std::map<std::string, std::map<predict::Kind, std::int64_t>>
      rows;  // by device; also those that are too few
};

using DeviceRows = std::map<std::string, predict::TrainingData>;
// Errors: too few rows to learn from; interrupted.
Result<OperationStudy> study_operations(const DeviceRows& rows, std::uint64_t folds, Shell& shell);

// Nothing where there is none.
const OperationScore* find(const std::vector<OperationScore>& scores, const std::string& device,
                           const predict::Kind& kind);

}  // namespace ergon::app
