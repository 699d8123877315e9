#pragma once

#include "predict/estimate/task.h"

namespace ergon::predict {

// Adds library behavior that the costs of the graph do not show: rows mapped to thread blocks, broadcast
// operands, sizes that cannot be loaded 16 bytes at a time. Based on measurements on an H200;
// src/device/twin/demand.cc has the cost of each.
void apply_library_behavior(Task& task, const graph::Network& network, const graph::Node& node,
                            const WorkloadConfig& config);

// Removes the cost of broadcast operands. Twins were calibrated with whole networks, so their other
// parameters include it. Their calibration data has no group norms and no rows of odd length.
Iteration without_broadcast_cost(Iteration iteration);

}  // namespace ergon::predict
