#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "predict/learn/fit.h"

namespace ergon::predict {

// Training data of several devices, by the name of the twin.
using TrainingDataByDevice = std::map<std::string, TrainingData>;

// The data of `device` (ignoring case), or of the only device. Errors: no data; several devices and none
// chosen.
Result<const TrainingData*> data_of(const TrainingDataByDevice& all,
                                    const std::optional<std::string>& device);

// All devices but the named one; their rows are used for modes with too few rows.
std::vector<RelatedDevice> related_devices_of(const std::string& device, const TrainingDataByDevice& all);

// Folds of held-out networks. Few networks are held out one by one, as an evaluation does.
std::size_t network_folds(const TrainingData& data);

}  // namespace ergon::predict
