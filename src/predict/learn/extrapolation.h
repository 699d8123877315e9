#pragma once

#include <string>
#include <vector>

#include "predict/estimate/task.h"
#include "predict/model/model.h"

namespace ergon::predict {

// How far an iteration lies outside the training data of a model.
struct Extrapolation {
  double share = 0;                   // of the time, in operations outside the training data
  std::vector<std::string> warnings;  // "no matmul in the training data (12 % of the time)"
};

// `times`: by task, all occurrences together.
Extrapolation extrapolation_of(const Iteration& iteration, const std::vector<Seconds>& times,
                               const TrainingRange& range);

}  // namespace ergon::predict
