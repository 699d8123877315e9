#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/learn/fit.h"

namespace ergon::app {

using TrainingDataByDevice = std::map<std::string, predict::TrainingData>;

// Training data by twin of the measured device, from folders written by `ergon profile`, folders with the
// tables of C. Nicolai's thesis, and folders of networks measured in Python (named after the twin). Errors: a
// folder that is none of these or cannot be read; rows of a device without a twin.
Result<TrainingDataByDevice> read_training_data(const std::vector<std::string>& folders);

// The data of `device`, or of the only device. Errors: no data; several devices and none chosen.
Result<const predict::TrainingData*> data_of(const TrainingDataByDevice& all,
                                             const std::optional<std::string>& device);

// All devices but the named one; their rows are used for modes with too few rows.
std::vector<predict::RelatedDevice> related_devices_of(const std::string& device,
                                                       const TrainingDataByDevice& all);

}  // namespace ergon::app
