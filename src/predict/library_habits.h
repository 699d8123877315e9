#pragma once

#include "predict/task.h"

namespace ergon::predict {

// What libraries do with an operation that the costs of its graph do not show: rows that are given to blocks
// of threads, operands that are stretched, extents that cannot be loaded 16 bytes at a time. By measurements
// on an H200; src/device/twin/demand.cc has what each takes.
void note_library_habits(Task& task, const graph::Network& network, const graph::Node& node,
                         const Condition& condition);

// As twins were calibrated, by whole networks: what stretching an operand takes is in their other numbers. Of
// group norms and rows of odd length they saw none.
Job as_twins_know_it(Job job);

}  // namespace ergon::predict
