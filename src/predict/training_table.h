#pragma once

#include <string>

#include "device/twin/specification.h"
#include "predict/sample.h"

namespace ergon::predict {

// What a learner sees of operations, as CSV: group, condition, time, power, the physical estimates, and every
// feature under its name. For notebooks and comparisons.
std::string training_table(const TrainingData& data, const device::Specification& gpu);

}  // namespace ergon::predict
