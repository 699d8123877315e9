#pragma once

#include <vector>

#include "base/result.h"
#include "base/si_prefixes.h"
#include "device/twin/steady_state.h"

namespace ergon::device {

// One distinct operation of an estimate, summed over its occurrences.
struct OperationEstimate {
  std::size_t operation = 0;  // index in Workload::operations
  Activity activity;
  Joules energy;  // including its share of idle power
  Bound bound = Bound::compute;
};

// The steady state of a workload on a twin.
struct Estimate {
  SteadyState state;
  Joules energy;  // per iteration
  Bound bound = Bound::compute;
  Bytes memory;  // weights, activations and CUDA context
  std::vector<OperationEstimate> operations;
};

// Memory of a process besides its network: the CUDA context and the framework's libraries.
inline constexpr Bytes kCudaContext{0.5 * kGibi};

// GPU memory that a workload needs, including the CUDA context. Errors: out_of_memory.
Result<Bytes> memory_on(const Workload& workload, const Specification& gpu);

// Errors: invalid_input for an unsupported clock or power limit; out_of_memory.
Result<Estimate> estimate(const Workload& workload, const Specification& gpu, const ClockAndLimit& setting);

}  // namespace ergon::device
