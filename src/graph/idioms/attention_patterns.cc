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

}  // namespace

void read_view(Rewriting& network, NodeId id) {
  read_turn(network, id);
  read_pick(network, id);
}

void read_attention(Rewriting& network, NodeId id) {
  if (network.as<Softmax>(id) == nullptr) return;
  NodeId scores = network.producer(network.node(id).inputs[0]);
  std::optional<NodeId> mask;
  if (const auto* sum = network.as<Arithmetic>(scores); sum != nullptr && sum->combine == Combine::add) {
    mask = scores;
    for (const ValueId input : network.node(*mask).inputs) {
      if (is_activation_product(network, network.producer(input))) scores = network.producer(input);
    }
  }
  if (!is_activation_product(network, scores) || !network.only_for(scores, mask.value_or(id))) return;
  const auto& factors = network.node(scores).inputs;
  const auto queries = scaling_of(network, factors[0], scores);
  const auto keys = scaling_of(network, factors[1], scores);
  if (!queries || !keys || *queries == *keys) return;
  network.bypass(*keys, network.node(*keys).inputs[0]);
  if (mask && network.shape(network.result(scores)) == network.shape(network.result(*mask))) {
    const auto added = network.other_input(*mask, network.result(scores));
    network.bypass(*mask, network.result(scores));
    if (added) network.forget(network.producer(*added));
  }
  read_guard(network, id);
}

}  // namespace ergon::graph
