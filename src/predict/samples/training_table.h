#pragma once

#include <string>

#include "device/twin/specification.h"
#include "predict/samples/sample.h"

namespace ergon::predict {

// Operation rows as CSV, for notebooks and comparisons: group, configuration, time, power, physical estimates
// and every feature by name.
std::string training_table(const TrainingData& data, const device::Specification& gpu);

}  // namespace ergon::predict
