#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "predict/placed_task.h"

namespace ergon::predict {

// What a learner sees of a task: which kind of operation it is, its extents (as logarithms; -1 where one does
// not apply), and what physics says of it on that chip. Nothing here follows the clock.
std::vector<std::string_view> feature_names();
std::size_t feature_count();

// Kinds of operations that have a flag of their own; all others share "other".
bool has_own_flag(std::string_view kind);

std::vector<float> features_of(const Task& task, const PlacedTask& placed, const Settled& settled,
                               const Condition& condition, const device::Specification& gpu);

}  // namespace ergon::predict
