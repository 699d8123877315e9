#pragma once

#include <string>
#include <vector>

#include "predict/estimate/task.h"
#include "predict/model/model.h"

namespace ergon::predict {

// How far an iteration lies outside of what is known.
struct Extrapolation {
  double unmodeled_share = 0;         // of the time, in operations on data types that are not modeled
  double share = 0;                   // of the time, in other operations outside the training data
  std::vector<std::string> warnings;  // "no matmul in the training data (12 % of the time)"
};

// `times`: by task, all occurrences together. `range`: null for a twin, which has no training data.
Extrapolation extrapolation_of(const Iteration& iteration, const std::vector<Seconds>& times,
                               const TrainingRange* range);

}  // namespace ergon::predict
