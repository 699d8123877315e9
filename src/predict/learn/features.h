#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "predict/estimate/task_estimate.h"

namespace ergon::predict {

// Features of a task for the learner: operation type, sizes (log2; -1 where one does not apply) and the
// physical estimate on this GPU. Features do not depend on the clock. Their names are stored in model files.
std::vector<std::string_view> feature_names();
std::size_t feature_count();

// Operation types with an indicator feature; all others share "other".
bool has_own_flag(std::string_view kind);

std::vector<float> features_of(const Task& task, const TaskEstimate& estimate, const Settled& settled,
                               const WorkloadConfig& config, const device::Specification& gpu);

}  // namespace ergon::predict
