#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/model/model.h"
#include "predict/samples/sample.h"
#include "shell.h"

namespace ergon::app {

// Accuracy of a learner on held-out operations, pooled over all of them.
struct OperationScore {
  std::string device;
  predict::ConfigKey kind;
  predict::Score time, power;
};

// Accuracy on the operations of the thesis's tables: in cross-validation, and with a fifth of them held out
// once. An operation is never in both the training and the test set, whatever its mode and precision.
struct OperationStudy {
  std::uint64_t folds = 15;
  std::vector<OperationScore> cross_validated, held_out;
  std::map<std::string, std::map<predict::ConfigKey, std::int64_t>>
      rows;  // by device; includes kinds with too few rows
};

using DeviceRows = std::map<std::string, predict::TrainingData>;
// Errors: too few rows to learn from; interrupted.
Result<OperationStudy> study_operations(const DeviceRows& rows, std::uint64_t folds, Shell& shell);

// Null if there is no such score.
const OperationScore* find(const std::vector<OperationScore>& scores, const std::string& device,
                           const predict::ConfigKey& kind);

}  // namespace ergon::app
