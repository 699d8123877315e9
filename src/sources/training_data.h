#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "predict/learn/training_devices.h"

namespace ergon::sources {

// Training data by twin of the measured device, from folders written by `ergon profile`, folders with the
// tables of C. Nicolai's thesis, and folders of networks measured in Python (named after the twin). Errors: a
// folder that is none of these or cannot be read; rows of a device without a twin.
Result<predict::TrainingDataByDevice> read_training_data(const std::vector<std::string>& folders);

}  // namespace ergon::sources
