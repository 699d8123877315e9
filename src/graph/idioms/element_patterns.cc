#include "graph/idioms/fusion_helpers.h"
#include "graph/idioms/patterns.h"

namespace ergon::graph {
namespace {

// The activation that x * f(x) is.
std::optional<Function> gated(const NetworkRewriter& network, NodeId gate) {
  if (network.is(gate, Function::sigmoid)) return Function::swish;
  if (network.is(gate, Function::hard_sigmoid)) return Function::hard_swish;
  return std::nullopt;
}

void fuse_gated_activation(NetworkRewriter& network, NodeId id) {
  if (!network.is_of_two_tensors(id, Combine::multiply)) return;
  for (const ValueId gate_value : network.node(id).inputs) {
    const NodeId gate = network.producer(gate_value);
    const auto function = gated(network, gate);
    const auto x = network.other_input(id, gate_value);
    if (!function || !x || !network.is_only_read_by(gate, id) || network.node(gate).inputs[0] != *x) continue;
    replace_subgraph(network, id, Elementwise{*function}, *x);
    return;
  }
}

// x, if the value is x times a constant.
std::optional<ValueId> scaled(const NetworkRewriter& network, ValueId value) {
  const NodeId id = network.producer(value);
  if (!network.is_with_scalar(id, Combine::multiply) && !network.is_with_scalar(id, Combine::divide))
    return std::nullopt;
  return network.node(id).inputs[0];
}

// The factor 1/2 comes first or last: (x / 2) * (1 + erf(...)), or (x * (1 + erf(...))) / 2.
void fuse_gelu(NetworkRewriter& network, NodeId id) {
  if (!network.is(id, Function::erf)) return;
  const auto x = scaled(network, network.node(id).inputs[0]);
  const auto sum = network.only_reader(id);
  if (!x || !sum || !network.is_with_scalar(*sum, Combine::add)) return;
  const auto product = network.only_reader(*sum);
  if (!product || !network.is_of_two_tensors(*product, Combine::multiply)) return;
  const auto other = network.other_input(*product, network.result(*sum));
  if (!other) return;
  NodeId last = *product;
  if (*other == *x) {
    const auto half = network.only_reader(*product);
    if (!half || !scaled(network, network.result(*half))) return;
    last = *half;
  } else if (scaled(network, *other) != x) {
    return;
  }
  replace_subgraph(network, last, Elementwise{Function::gelu}, *x);
}

void fuse_reciprocal_sqrt(NetworkRewriter& network, NodeId id) {
  if (!network.is(id, Function::reciprocal)) return;
  const NodeId root = network.producer(network.node(id).inputs[0]);
  if (network.is(root, Function::sqrt) && network.is_only_read_by(root, id))
    network.bypass(id, network.result(root));
}

}  // namespace

void fuse_bias(NetworkRewriter& network, NodeId id) {
  if (!network.is_with_weight(id, Combine::add)) return;
  const NodeId before = network.producer(network.node(id).inputs[0]);
  const auto* dense = network.as<Dense>(before);
  if (dense == nullptr || dense->bias || !network.is_only_read_by(before, id) ||
      !spans_last_axes(*network.as<Arithmetic>(id)->weight, network.shape(network.result(before)), 1) ||
      network.shape(network.result(id)) != network.shape(network.result(before)))
    return;
  std::vector<Weight> weights = network.node(before).weights;
  for (Weight bias : network.node(id).weights) {
    bias.role = WeightRole::bias;
    weights.push_back(bias);
  }
  network.replace_operation(before, Dense{dense->out_features, true}, network.node(before).inputs,
                            std::move(weights));
  network.bypass(id, network.result(before));
}

void fuse_activation(NetworkRewriter& network, NodeId id) {
  fuse_gated_activation(network, id);
  fuse_gelu(network, id);
  fuse_reciprocal_sqrt(network, id);
}

}  // namespace ergon::graph
