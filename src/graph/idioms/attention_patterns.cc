#include <algorithm>
#include <numeric>

#include "graph/idioms/patterns.h"

namespace ergon::graph {
namespace {

// The last two axes change places, all others stay.
bool turns_matrices(const Transpose& turn) {
  const std::size_t rank = turn.order.size();
  if (rank < 2) return false;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    if (turn.order[axis] != static_cast<std::int64_t>(axis)) return false;
  }
  return turn.order[rank - 1] == static_cast<std::int64_t>(rank) - 2;
}

// Whether `to` is `from` with its last two axes turned.
bool is_turned(const Shape& from, const Shape& to) {
  const std::size_t rank = from.rank();
  if (rank < 3 || to.rank() != rank) return false;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    if (from[axis] != to[axis]) return false;
  }
  return from[rank - 1] == to[rank - 2] && from[rank - 2] == to[rank - 1];
}

void read_turn(Rewriting& network, NodeId id) {
  if (network.as<Reshape>(id) == nullptr) return;
  const NodeId middle = network.producer(network.node(id).inputs[0]);
  const auto* turn = network.as<Transpose>(middle);
  if (turn == nullptr || turn->order.size() != 3 || !turns_matrices(*turn) || !network.only_for(middle, id))
    return;
  const NodeId first = network.producer(network.node(middle).inputs[0]);
  if (network.as<Reshape>(first) == nullptr || !network.only_for(first, middle)) return;
  const ValueId x = network.node(first).inputs[0];
  const Shape& from = network.shape(x);
  const Shape& flat = network.shape(network.result(first));
  if (!is_turned(from, network.shape(network.result(id))) || flat[1] != from[from.rank() - 2] ||
      flat[2] != from[from.rank() - 1])
    return;
  Transpose whole{std::vector<std::int64_t>(from.rank())};
  std::iota(whole.order.begin(), whole.order.end(), 0);
  std::swap(whole.order[from.rank() - 2], whole.order[from.rank() - 1]);
  network.become(id, std::move(whole), {x});
  network.forget(middle);
}

// One index that is known beforehand takes its axis away.
void read_pick(Rewriting& network, NodeId id) {
  const auto* gather = network.as<Gather>(id);
  if (gather == nullptr || network.node(id).inputs.size() != 1) return;
  const Shape& from = network.shape(network.node(id).inputs[0]);
  if (gather->result.rank() + 1 == from.rank())
    network.become(id, Slice{gather->result, {}, {}, {}, {}}, network.node(id).inputs);
}

bool is_activation_product(const Rewriting& network, NodeId id) {
  const auto* product = network.as<MatrixProduct>(id);
  return product != nullptr && !product->weight && network.node(id).inputs.size() == 2;
}

// A row without a key is a row of nothing but infinities, whose softmax is no number: zeros instead.
void read_guard(Rewriting& network, NodeId softmax) {
  const ValueId weights = network.result(softmax);
  for (const NodeId id : network.readers(softmax)) {
    const auto* pick = network.as<Arithmetic>(id);
    const auto asks = network.other_input(id, weights);
    if (pick == nullptr || pick->combine != Combine::where || !pick->scalar || !asks) continue;
    const NodeId test = network.producer(*asks);
    if (!network.is(test, Function::other) || network.type(*asks) != ElementType::boolean ||
        network.node(test).inputs[0] != weights)
      continue;
    network.bypass(id, weights);
    network.forget(test);
    return;
  }
}

// What is scaled by a number right before it enters a product, or before it is turned for that.
std::optional<NodeId> scaling_of(const Rewriting& network, ValueId factor, NodeId reader) {
  NodeId id = network.producer(factor);
  while (network.as<Transpose>(id) != nullptr && network.only_for(id, reader)) {
    reader = id;
    id = network.producer(network.node(id).inputs[0]);
  }
  if (!network.is_by_number(id, Combine::multiply) || !network.only_for(id, reader)) return std::nullopt;
  return id;
}

// The scaling of the keys, in a product of queries and keys that are each scaled and that nobody else reads.
std::optional<NodeId> scaling_of_keys(const Rewriting& network, NodeId id, NodeId reader) {
  if (!is_activation_product(network, id) || !network.only_for(id, reader)) return std::nullopt;
  const auto& factors = network.node(id).inputs;
  const auto queries = scaling_of(network, factors[0], id);
  const auto keys = scaling_of(network, factors[1], id);
  return queries && keys && *queries != *keys ? keys : std::nullopt;
}

// What makes numbers of a mask of truth values; the kernel takes it as it is.
bool converts(const Operation& operation) {
  if (const auto* pick = std::get_if<Arithmetic>(&operation))
    return pick->combine == Combine::where && pick->scalar;
  const auto* elementwise = std::get_if<Elementwise>(&operation);
  return elementwise != nullptr &&
         (elementwise->function == Function::cast || elementwise->function == Function::logical_not);
}

}  // namespace

void read_view(Rewriting& network, NodeId id) {
  read_turn(network, id);
  read_pick(network, id);
}

void read_attention(Rewriting& network, NodeId id) {
  const auto* softmax = network.as<Softmax>(id);
  if (softmax == nullptr) return;
  const ValueId weighed = network.node(id).inputs[0];
  const std::size_t rank = network.shape(weighed).rank();
  if (rank == 0 || network.shape(weighed).axis(softmax->axis) != rank - 1) return;

  const NodeId before = network.producer(weighed);
  if (const auto keys = scaling_of_keys(network, before, id)) {
    network.bypass(*keys, network.node(*keys).inputs[0]);
    read_guard(network, id);
    return;
  }
  const bool masked = network.is_of_two(before, Combine::add) || network.is_by_weight(before, Combine::add);
  if (!masked || !network.only_for(before, id)) return;
  for (const ValueId addend : network.node(before).inputs) {
    const auto keys = scaling_of_keys(network, network.producer(addend), before);
    if (!keys || network.shape(addend) != network.shape(weighed)) continue;
    const auto mask = network.other_input(before, addend);
    network.bypass(*keys, network.node(*keys).inputs[0]);
    network.bypass(before, addend);
    if (mask) network.forget(network.producer(*mask), converts);
    read_guard(network, id);
    return;
  }
}

}  // namespace ergon::graph
