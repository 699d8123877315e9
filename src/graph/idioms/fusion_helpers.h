#pragma once

#include <vector>

#include "graph/idioms/network_rewriter.h"

namespace ergon::graph {

// Replaces the subgraph that ends in node `last` by one operation on x.
void replace_subgraph(NetworkRewriter& network, NodeId last, Operation operation, ValueId x,
                      std::vector<Weight> weights = {});

// Whether a weight has the extents of the tensor's last `axes` axes and broadcasts along the others.
bool spans_last_axes(const Shape& weight, const Shape& tensor, std::size_t axes);

}  // namespace ergon::graph
