#pragma once

#include <optional>
#include <string>

#include "device/twin/precision.h"
#include "graph/network.h"

namespace ergon::device {

// The precision in which a framework runs the network by default: that of most of its floating-point weights,
// or of most floating-point tensors if it has none. tf32, PyTorch's default, for float32 and float64.
Precision default_precision(const graph::Network& network);

// The data type of a node whose arithmetic is not modeled: int8 of a quantized matrix product or of a
// conversion to or from it, or float64. Absent for the types of Precision.
std::optional<graph::ElementType> unmodeled_type(const graph::Network& network, const graph::Node& node);

// A warning if nodes of the network have such a type: they are computed in `precision` instead.
std::optional<std::string> unmodeled_warning(const graph::Network& network, Precision precision);
// The same for engines that run networks on a real device.
std::optional<std::string> unmeasured_warning(const graph::Network& network, Precision precision);

// Bytes per number that a framework stores for a floating-point type when the network runs in `precision`:
// those of the precision, except that 32-bit precisions leave float64 as it is.
double stored_bytes(graph::ElementType type, Precision precision);

}  // namespace ergon::device
