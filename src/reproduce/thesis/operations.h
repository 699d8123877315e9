#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/learn/learner.h"
#include "predict/learn/training_devices.h"
#include "predict/model/model.h"
#include "predict/samples/sample.h"
#include "reproduce/environment.h"

namespace ergon::reproduce {

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

// Errors: too few rows to learn from; unsupported if the learner cannot learn; interrupted.
Result<OperationStudy> study_operations(const predict::TrainingDataByDevice& rows,
                                        const predict::Learner& learner, std::uint64_t folds,
                                        const Environment& environment);

// Null if there is no such score.
const OperationScore* find(const std::vector<OperationScore>& scores, const std::string& device,
                           const predict::ConfigKey& kind);

}  // namespace ergon::reproduce
