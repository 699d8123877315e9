#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/fit.h"

namespace ergon::app {

using TrainingDataByDevice = std::map<std::string, predict::TrainingData>;

// Rows to learn from, by the twin of the device they were measured on: folders that `ergon profile` wrote,
// folders with the tables of C. Nicolai's thesis, and folders of networks measured in Python (named after the
// twin). Errors: a folder that is none of these, or cannot be read; rows of a device that has no twin.
Result<TrainingDataByDevice> read_training_data(const std::vector<std::string>& folders);

// Those of one device: the one that is named, or the only one there is. Errors: none, or several.
Result<const predict::TrainingData*> data_of(const TrainingDataByDevice& all,
                                             const std::optional<std::string>& device);

// All but the named one, for what it has too few rows of.
std::vector<predict::Relative> relatives_of(const std::string& device, const TrainingDataByDevice& all);

}  // namespace ergon::app
