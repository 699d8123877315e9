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

// An operation's kernels of one pass, in their place.
struct Launch {
  graph::NodeId node = 0;
  std::size_t operation = 0;  // in the workload
  Pass pass = Pass::forward;
};

// A workload knows how often each distinct operation occurs; this is the order. A network's operations come
// as the network lists them, and in training their gradients come after all of them, the last first.
// What launches nothing is left out. Errors: as workload_of().
// Contract: the workload was made from this network.
Result<std::vector<Launch>> sequence_of(const graph::Network& network, const device::Workload& workload);

}  // namespace ergon::allocate
