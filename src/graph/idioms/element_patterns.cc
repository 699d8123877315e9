#include "graph/idioms/patterns.h"
#include "graph/idioms/spelled.h"

namespace ergon::graph {
namespace {

// The function that x * f(x) is.
std::optional<Function> gated(const Rewriting& network, NodeId gate) {
  if (network.is(gate, Function::sigmoid)) return Function::swish;
  if (network.is(gate, Function::hard_sigmoid)) return Function::hard_swish;
  return std::nullopt;
}

void read_gated(Rewriting& network, NodeId id) {
  if (!network.is_of_two(id, Combine::multiply)) return;
  for (const ValueId gate_value : network.node(id).inputs) {
    const NodeId gate = network.producer(gate_value);
    const auto function = gated(network, gate);
    const auto x = network.other_input(id, gate_value);
    if (!function || !x || !network.only_for(gate, id) || network.node(gate).inputs[0] != *x) continue;
    put_instead(network, id, Elementwise{*function}, *x);
    return;
  }
}

// A number times x: what x is.
std::optional<ValueId> scaled(const Rewriting& network, ValueId value) {
  const NodeId id = network.producer(value);
  if (!network.is_by_number(id, Combine::multiply) && !network.is_by_number(id, Combine::divide))
    return std::nullopt;
  return network.node(id).inputs[0];
}

// Halves stand before or behind: (x / 2) * (1 + erf(...)), or (x * (1 + erf(...))) / 2.
void read_gelu(Rewriting& network, NodeId id) {
  if (!network.is(id, Function::erf)) return;
  const auto x = scaled(network, network.node(id).inputs[0]);
  const auto sum = network.only_reader(id);
  if (!x || !sum || !network.is_by_number(*sum, Combine::add)) return;
  const auto product = network.only_reader(*sum);
  if (!product || !network.is_of_two(*product, Combine::multiply)) return;
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
  put_instead(network, last, Elementwise{Function::gelu}, *x);
}

void read_reciprocal_root(Rewriting& network, NodeId id) {
  if (!network.is(id, Function::reciprocal)) return;
  const NodeId root = network.producer(network.node(id).inputs[0]);
  if (network.is(root, Function::sqrt) && network.only_for(root, id))
    network.bypass(id, network.result(root));
}

}  // namespace

void read_bias(Rewriting& network, NodeId id) {
  if (!network.is_by_weight(id, Combine::add)) return;
  const NodeId before = network.producer(network.node(id).inputs[0]);
  const auto* dense = network.as<Dense>(before);
  if (dense == nullptr || dense->bias || !network.only_for(before, id) ||
      !is_of_last_axes(*network.as<Arithmetic>(id)->weight, network.shape(network.result(before)), 1) ||
      network.shape(network.result(id)) != network.shape(network.result(before)))
    return;
  std::vector<Weight> weights = network.node(before).weights;
  for (Weight bias : network.node(id).weights) {
    bias.role = WeightRole::bias;
    weights.push_back(bias);
  }
  network.become(before, Dense{dense->out_features, true}, network.node(before).inputs, std::move(weights));
  network.bypass(id, network.result(before));
}

void read_activation(Rewriting& network, NodeId id) {
  read_gated(network, id);
  read_gelu(network, id);
  read_reciprocal_root(network, id);
}

}  // namespace ergon::graph
