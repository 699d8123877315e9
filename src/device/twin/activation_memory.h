#pragma once

#include "base/units.h"
#include "device/twin/fusion.h"
#include "device/twin/precision.h"
#include "graph/cost.h"
#include "graph/network.h"

namespace ergon::device {

// Memory of all tensors of one iteration that are live at the same time, at most; weights and their gradients
// are not included. Contract: all element counts fit in 64 bits.
Bytes activation_memory(const graph::Network& network, const Fusion& fusion, std::int64_t batch,
                        graph::Mode mode, Precision precision);

}  // namespace ergon::device
