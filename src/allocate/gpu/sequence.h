#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/twin/kernel.h"
#include "graph/network.h"

namespace ergon::allocate {

enum class Pass : std::uint8_t { forward, backward };
std::string_view name_of(Pass pass);

// The kernels of one operation in one pass.
struct StepLaunch {
  graph::NodeId node = 0;
  std::size_t operation = 0;  // index in the workload
  Pass pass = Pass::forward;
};

// Execution order of the operations; a workload holds only counts of distinct operations. Forward operations
// are in network order; in training the backward operations follow in reverse order. Operations without
// kernels are skipped. Errors: those of workload_of(). Contract: the workload was made from this network.
Result<std::vector<StepLaunch>> sequence_of(const graph::Network& network, const device::Workload& workload);

}  // namespace ergon::allocate
