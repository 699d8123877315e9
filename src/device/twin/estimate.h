#pragma once

#include <vector>

#include "base/result.h"
#include "device/twin/steady.h"

namespace ergon::device {

// One operation of an estimate, all its occurrences together.
struct OperationEstimate {
  std::size_t operation = 0;  // in the workload
  Activity activity;
  Joules energy;  // with its share of what idles
  Bound bound = Bound::compute;
};

// A twin's answer: what an iteration of a workload takes once everything has settled.
struct Estimate {
  SteadyState state;
  Joules energy;  // of an iteration
  Bound bound = Bound::compute;
  Bytes memory;  // weights, activations and the context
  std::vector<OperationEstimate> operations;
};

// What a workload takes of a GPU's memory, the context included. Errors: more than it has.
Result<Bytes> memory_on(const Workload& workload, const Specification& gpu);

// Errors: a clock or limit that the GPU does not have; a batch that does not fit its memory, with the size it
// needs.
Result<Estimate> estimate(const Workload& workload, const Specification& gpu, const Setting& setting);

}  // namespace ergon::device
