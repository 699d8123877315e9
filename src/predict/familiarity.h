#pragma once

#include <string>
#include <vector>

#include "predict/model.h"
#include "predict/task.h"

namespace ergon::predict {

// How far a job is outside what a model was learned from.
struct Familiarity {
  double strange = 0;                 // the share of its time
  std::vector<std::string> warnings;  // "no matmul was learned from (12 % of the time)"
};

// `times` are those of the job's tasks, all occurrences together.
Familiarity familiarity_of(const Job& job, const std::vector<Seconds>& times, const Range& range);

}  // namespace ergon::predict
