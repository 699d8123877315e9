#pragma once

#include <vector>

#include "graph/idioms/rewriting.h"

namespace ergon::graph {

// One operation on x instead of what ended in this node.
void put_instead(Rewriting& network, NodeId last, Operation operation, ValueId x,
                 std::vector<Weight> weights = {});

// Whether a weight goes along the last axes of a tensor, all of them, and stretches along the others.
bool is_of_last_axes(const Shape& weight, const Shape& tensor, std::size_t axes);

}  // namespace ergon::graph
