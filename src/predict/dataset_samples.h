#pragma once

#include <functional>
#include <string>

#include "predict/sample.h"
#include "profile/dataset.h"

namespace ergon::predict {

// Builds a network that a dataset names. Errors: it is not known.
using FindNetwork = std::function<Result<graph::Network>(const std::string& name)>;

// A dataset's valid rows of one device, added to what is known of it. Repeats of a network at a condition are
// one row, their median. Rows whose network cannot be built are skipped, and `skipped` says which.
Result<> add_dataset(const profile::Contents& contents, const Source& source, const FindNetwork& find,
                     TrainingData& into);

// The operation, whatever its batch, mode and numbers.
std::string group_of(const Task& task);

}  // namespace ergon::predict
