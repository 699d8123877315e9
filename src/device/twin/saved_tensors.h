#pragma once

#include <cstdint>
#include <vector>

#include "graph/network.h"

namespace ergon::device {

// The tensors that PyTorch's autograd keeps for the backward pass of a node: what its gradient formula reads.
std::vector<graph::ValueId> saved_tensors(const graph::Node& node);

// Bytes that it keeps besides them: indices of a maximum, masks of dropouts.
double saved_beside_tensors(const graph::Network& network, const graph::Node& node, std::int64_t batch);

// Operations that overwrite their input, as torchvision's modules do, so that no second tensor exists.
bool works_in_place(const graph::Operation& operation);

}  // namespace ergon::device
