#include <algorithm>
#include <numeric>

#include "graph/idioms/patterns.h"

namespace ergon::graph {
namespace {

// Whether a transpose exchanges the last two axes and no others.
bool swaps_last_axes(const Transpose& transpose) {
  const std::size_t rank = transpose.order.size();
  if (rank < 2) return false;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    if (transpose.order[axis] != static_cast<std::int64_t>(axis)) return false;
  }
  return transpose.order[rank - 1] == static_cast<std::int64_t>(rank) - 2;
}

// Whether `to` is `from` with its last two axes exchanged.
bool has_last_axes_swapped(const Shape& from, const Shape& to) {
  const std::size_t rank = from.rank();
  if (rank < 3 || to.rank() != rank) return false;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    if (from[axis] != to[axis]) return false;
  }
  return from[rank - 1] == to[rank - 2] && from[rank - 2] == to[rank - 1];
}

void fuse_matrix_transpose(NetworkRewriter& network, NodeId id) {
  if (network.as<Reshape>(id) == nullptr) return;
  const NodeId middle = network.producer(network.node(id).inputs[0]);
  const auto* transpose = network.as<Transpose>(middle);
  if (transpose == nullptr || transpose->order.size() != 3 || !swaps_last_axes(*transpose) ||
      !network.is_only_read_by(middle, id))
    return;
  const NodeId first = network.producer(network.node(middle).inputs[0]);
  if (network.as<Reshape>(first) == nullptr || !network.is_only_read_by(first, middle)) return;
  const ValueId x = network.node(first).inputs[0];
  const Shape& from = network.shape(x);
  const Shape& flat = network.shape(network.result(first));
  if (!has_last_axes_swapped(from, network.shape(network.result(id))) || flat[1] != from[from.rank() - 2] ||
      flat[2] != from[from.rank() - 1])
    return;
  Transpose whole{std::vector<std::int64_t>(from.rank())};
  std::iota(whole.order.begin(), whole.order.end(), 0);
  std::swap(whole.order[from.rank() - 2], whole.order[from.rank() - 1]);
  network.replace_operation(id, std::move(whole), {x});
  network.remove_unread(middle);
}

// A gather of one constant index removes its axis: a view.
void simplify_index(NetworkRewriter& network, NodeId id) {
  const auto* gather = network.as<Gather>(id);
  if (gather == nullptr || network.node(id).inputs.size() != 1) return;
  const Shape& from = network.shape(network.node(id).inputs[0]);
  if (gather->result.rank() + 1 == from.rank())
    network.replace_operation(id, Slice{gather->result, {}, {}, {}, {}}, network.node(id).inputs);
}

bool is_activation_product(const NetworkRewriter& network, NodeId id) {
  const auto* product = network.as<MatrixProduct>(id);
  return product != nullptr && !product->weight && network.node(id).inputs.size() == 2;
}

// A row without keys is all -inf, and its softmax is NaN; exporters replace it by zeros. Removes that guard.
void remove_nan_guard(NetworkRewriter& network, NodeId softmax) {
  const ValueId weights = network.result(softmax);
  for (const NodeId id : network.readers(softmax)) {
    const auto* select = network.as<Arithmetic>(id);
    const auto condition = network.other_input(id, weights);
    if (select == nullptr || select->combine != Combine::where || !select->scalar || !condition) continue;
    const NodeId test = network.producer(*condition);
    if (!network.is(test, Function::other) || network.type(*condition) != ElementType::boolean ||
        network.node(test).inputs[0] != weights)
      continue;
    network.bypass(id, weights);
    network.remove_unread(test);
    return;
  }
}

// The node that scales a factor of a product by a constant, directly or before a transpose.
std::optional<NodeId> scaling_of(const NetworkRewriter& network, ValueId factor, NodeId reader) {
  NodeId id = network.producer(factor);
  while (network.as<Transpose>(id) != nullptr && network.is_only_read_by(id, reader)) {
    reader = id;
    id = network.producer(network.node(id).inputs[0]);
  }
  if (!network.is_with_scalar(id, Combine::multiply) || !network.is_only_read_by(id, reader))
    return std::nullopt;
  return id;
}

// The node that scales the keys, if queries and keys are both scaled and have no other readers.
std::optional<NodeId> scaling_of_keys(const NetworkRewriter& network, NodeId id, NodeId reader) {
  if (!is_activation_product(network, id) || !network.is_only_read_by(id, reader)) return std::nullopt;
  const auto& factors = network.node(id).inputs;
  const auto queries = scaling_of(network, factors[0], id);
  const auto keys = scaling_of(network, factors[1], id);
  return queries && keys && *queries != *keys ? keys : std::nullopt;
}

// Operations that convert a boolean mask to numbers; the attention kernel takes the boolean mask.
bool is_mask_conversion(const Operation& operation) {
  if (const auto* select = std::get_if<Arithmetic>(&operation))
    return select->combine == Combine::where && select->scalar;
  const auto* elementwise = std::get_if<Elementwise>(&operation);
  return elementwise != nullptr &&
         (elementwise->function == Function::cast || elementwise->function == Function::logical_not);
}

}  // namespace

void simplify_view(NetworkRewriter& network, NodeId id) {
  fuse_matrix_transpose(network, id);
  simplify_index(network, id);
}

void fuse_attention(NetworkRewriter& network, NodeId id) {
  const auto* softmax = network.as<Softmax>(id);
  if (softmax == nullptr) return;
  const ValueId scores = network.node(id).inputs[0];
  const std::size_t rank = network.shape(scores).rank();
  if (rank == 0 || network.shape(scores).axis(softmax->axis) != rank - 1) return;

  const NodeId before = network.producer(scores);
  if (const auto keys = scaling_of_keys(network, before, id)) {
    network.bypass(*keys, network.node(*keys).inputs[0]);
    remove_nan_guard(network, id);
    return;
  }
  const bool masked =
      network.is_of_two_tensors(before, Combine::add) || network.is_with_weight(before, Combine::add);
  if (!masked || !network.is_only_read_by(before, id)) return;
  for (const ValueId addend : network.node(before).inputs) {
    const auto keys = scaling_of_keys(network, network.producer(addend), before);
    if (!keys || network.shape(addend) != network.shape(scores)) continue;
    const auto mask = network.other_input(before, addend);
    network.bypass(*keys, network.node(*keys).inputs[0]);
    network.bypass(before, addend);
    if (mask) network.remove_unread(network.producer(*mask), is_mask_conversion);
    remove_nan_guard(network, id);
    return;
  }
}

}  // namespace ergon::graph
