#pragma once

#include <functional>
#include <string>

#include "predict/samples/sample.h"
#include "profile/dataset.h"

namespace ergon::predict {

// Builds a network by its name in a dataset. Errors: unknown network.
using FindNetwork = std::function<Result<graph::Network>(const std::string& name)>;

// Adds a dataset's valid rows of one device to `into`. Repeated runs of a network in one configuration become
// one row, their median. Rows whose network cannot be built are skipped and listed in `into.skipped`.
Result<> add_dataset(const profile::DatasetContents& contents, const TrainingSource& source,
                     const FindNetwork& find, TrainingData& into);

// Identifies an operation at any batch, mode and precision.
std::string group_of(const Task& task);

}  // namespace ergon::predict
