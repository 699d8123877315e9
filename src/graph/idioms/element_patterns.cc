#include "graph/idioms/patterns.h"

namespace ergon::graph {
namespace {

// One operation on x instead of what ended in this node.
void put_instead(Rewriting& network, NodeId last, Operation operation, ValueId x,
                 std::vector<Weight> weights = {}) {
  std::vector<NodeId> spelled;
  for (const ValueId input : network.node(last).inputs) spelled.push_back(network.producer(input));
  network.become(last, std::move(operation), {x}, std::move(weights));
  for (const NodeId each : spelled) network.forget(each);
}

// Whether these are the last axes.
bool are_last(const std::vector<std::int64_t>& axes, const Shape& shape) {
  for (const std::int64_t axis : axes) {
    const auto place = shape.axis(axis);
    if (!place || *place + axes.size() < shape.rank()) return false;
  }
  return !axes.empty();
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

void read_layer_norm(Rewriting& network, NodeId id) {
  if (!network.is_of_two(id, Combine::divide)) return;
  const ValueId centred = network.node(id).inputs[0], deviation = network.node(id).inputs[1];
  // From the deviation back to the squares: sqrt(mean(squares) + small).
  NodeId at = network.producer(deviation);
  if (!network.is(at, Function::sqrt)) return;
  at = network.producer(network.node(at).inputs[0]);
  if (!network.is_by_number(at, Combine::add)) return;
  at = network.producer(network.node(at).inputs[0]);
  const auto* mean = network.as<Reduce>(at);
  if (mean == nullptr || mean->kind != ReduceKind::mean || !are_last(mean->axes, network.shape(centred)))
    return;
  const std::size_t axes = mean->axes.size();
  at = network.producer(network.node(at).inputs[0]);
  const auto& squared = network.node(at).inputs;
  const bool squares = network.is_by_number(at, Combine::power) ||
                       (network.is_of_two(at, Combine::multiply) && squared[0] == squared[1]);
  if (!squares || squared[0] != centred) return;
  // x less its own mean.
  const NodeId less = network.producer(centred);
  if (!network.is_of_two(less, Combine::subtract)) return;
  const ValueId x = network.node(less).inputs[0];
  const NodeId average = network.producer(network.node(less).inputs[1]);
  const auto* reduce = network.as<Reduce>(average);
  if (reduce == nullptr || reduce->kind != ReduceKind::mean || reduce->axes != mean->axes || !reduce->keep ||
      !mean->keep || network.node(average).inputs[0] != x)
    return;

  NodeId last = id;
  LayerNorm norm{axes, false, false};
  std::vector<Weight> weights;
  const auto take = [&](Combine combine) {
    const auto next = network.only_reader(last);
    if (!next || !network.is_by_weight(*next, combine) ||
        !is_of_last_axes(*network.as<Arithmetic>(*next)->weight, network.shape(x), axes) ||
        network.shape(network.result(*next)) != network.shape(x))
      return false;
    for (Weight weight : network.node(*next).weights) {
      weight.role = combine == Combine::add ? WeightRole::bias : WeightRole::scale;
      weights.push_back(weight);
    }
    last = *next;
    return true;
  };
  norm.scale = take(Combine::multiply);
  norm.center = norm.scale && take(Combine::add);
  put_instead(network, last, norm, x, std::move(weights));
}

}  // namespace ergon::graph
