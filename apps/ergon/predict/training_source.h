#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/sample.h"

namespace ergon::app {

// Rows to learn from, by the twin of the device they were measured on: folders that `ergon profile` wrote,
// and folders with the tables of C. Nicolai's thesis. Errors: a folder that is neither, or cannot be read;
// rows of a device that has no twin.
Result<std::map<std::string, predict::TrainingData>> read_training_data(
    const std::vector<std::string>& folders);

// Those of one device: the one that is named, or the only one there is. Errors: none, or several.
Result<predict::TrainingData> training_data_of(const std::vector<std::string>& folders,
                                               const std::optional<std::string>& device);

}  // namespace ergon::app
