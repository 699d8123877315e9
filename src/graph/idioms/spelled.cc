#include "graph/idioms/spelled.h"

namespace ergon::graph {

// One operation on x instead of what ended in this node.
void put_instead(Rewriting& network, NodeId last, Operation operation, ValueId x,
                 std::vector<Weight> weights) {
  std::vector<NodeId> spelled;
  for (const ValueId input : network.node(last).inputs) spelled.push_back(network.producer(input));
  network.become(last, std::move(operation), {x}, std::move(weights));
  for (const NodeId each : spelled) network.forget(each);
}

// Whether a weight goes along the last axes of a tensor, all of them, and stretches along the others.
bool is_of_last_axes(const Shape& weight, const Shape& tensor, std::size_t axes) {
  if (weight.rank() < axes || weight.rank() > tensor.rank()) return false;
  for (std::size_t i = 1; i <= weight.rank(); ++i) {
    const Dim& extent = weight[weight.rank() - i];
    if (i <= axes ? extent != tensor[tensor.rank() - i] : !extent.is_one()) return false;
  }
  return true;
}

}  // namespace ergon::graph
