#include "graph/idioms/fusion_helpers.h"

namespace ergon::graph {

void replace_subgraph(NetworkRewriter& network, NodeId last, Operation operation, ValueId x,
                      std::vector<Weight> weights) {
  std::vector<NodeId> producers;
  for (const ValueId input : network.node(last).inputs) producers.push_back(network.producer(input));
  network.replace_operation(last, std::move(operation), {x}, std::move(weights));
  for (const NodeId each : producers) network.remove_unread(each);
}

bool spans_last_axes(const Shape& weight, const Shape& tensor, std::size_t axes) {
  if (weight.rank() < axes || weight.rank() > tensor.rank()) return false;
  for (std::size_t i = 1; i <= weight.rank(); ++i) {
    const Dim& extent = weight[weight.rank() - i];
    if (i <= axes ? extent != tensor[tensor.rank() - i] : !extent.is_one()) return false;
  }
  return true;
}

}  // namespace ergon::graph
