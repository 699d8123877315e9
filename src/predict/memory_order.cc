#include "predict/memory_order.h"

#include <array>
#include <optional>

namespace ergon::predict {
namespace {

using graph::ValueId;

// Whether a turn moves any but the last two axes: products take those either way.
bool moves_matrices(const graph::Transpose& turn) {
  for (std::size_t axis = 0; axis + 2 < turn.order.size(); ++axis) {
    if (turn.order[axis] != static_cast<std::int64_t>(axis)) return true;
  }
  return false;
}

const graph::Node& producer_of(const graph::Network& network, ValueId value) {
  return network.nodes[network.values[value].producer];
}

template <typename... Kinds>
bool is_any_of(const graph::Operation& operation) {
  return (std::holds_alternative<Kinds>(operation) || ...);
}

// The tensor whose order a node keeps: what is computed element by element lies as its first input does.
std::optional<ValueId> order_taken_from(const graph::Network& network, const graph::Node& node) {
  if (node.inputs.empty()) return std::nullopt;
  const ValueId first = node.inputs[0];
  const graph::Operation& operation = node.operation;
  const bool cuts = is_any_of<graph::Slice, graph::Split, graph::Identity, graph::Dropout>(operation);
  const bool computes =
      is_any_of<graph::Arithmetic, graph::Elementwise, graph::Normalization, graph::Transpose>(operation);
  if (cuts || computes) return first;
  const auto* reshape = std::get_if<graph::Reshape>(&operation);
  const bool drops_an_axis = reshape != nullptr &&
                             reshape->result.rank() + 1 == network.values[first].shape.rank() &&
                             std::holds_alternative<graph::Slice>(producer_of(network, first).operation);
  return drops_an_axis ? std::optional(first) : std::nullopt;
}

// An image whose places were put in one row: (batch, channels, height * width).
bool keeps_channels(const graph::Shape& image, const graph::Shape& flat) {
  return image.is_image() && image.rank() == 4 && flat.rank() == 3 && flat[0] == image[0] &&
         flat[1] == image[1];
}

// What works on images gives them as it finds them.
bool filters(const graph::Operation& operation) {
  return is_any_of<graph::Convolution, graph::BatchNorm, graph::Pool>(operation);
}

}  // namespace

bool is_scattered(const graph::Network& network, ValueId value) {
  while (true) {
    const graph::Node& node = producer_of(network, value);
    const auto* turn = std::get_if<graph::Transpose>(&node.operation);
    if (turn != nullptr && moves_matrices(*turn)) return true;
    const auto before = order_taken_from(network, node);
    if (!before) return false;
    value = *before;
  }
}

// Walks back to whoever wrote the image anew, and keeps by which axis of what was written each of its own
// goes.
bool lies_turned(const graph::Network& network, ValueId image) {
  std::array<std::int64_t, 4> axes{0, 1, 2, 3};
  while (network.values[image].shape.rank() == 4) {
    const graph::Node& node = producer_of(network, image);
    if (const auto* turn = std::get_if<graph::Transpose>(&node.operation)) {
      for (std::int64_t& axis : axes) axis = turn->order[static_cast<std::size_t>(axis)];
    }
    const auto before =
        filters(node.operation) ? std::optional(node.inputs[0]) : order_taken_from(network, node);
    if (!before) break;
    image = *before;
  }
  return axes == std::array<std::int64_t, 4>{0, 3, 1, 2};
}

bool rows_lie_apart(const graph::Network& network, ValueId value, bool images_last) {
  if (network.values[value].shape.rank() < 3) return false;
  auto axis = static_cast<std::int64_t>(network.values[value].shape.rank()) - 1;
  while (true) {
    const graph::Node& node = producer_of(network, value);
    if (const auto* turn = std::get_if<graph::Transpose>(&node.operation))
      axis = turn->order[static_cast<std::size_t>(axis)];
    const auto before = order_taken_from(network, node);
    if (!before || network.values[*before].shape.rank() != network.values[value].shape.rank()) break;
    value = *before;
  }
  const graph::Node& writer = producer_of(network, value);
  const bool flattened = std::holds_alternative<graph::Reshape>(writer.operation) &&
                         keeps_channels(network.values[writer.inputs[0]].shape, network.values[value].shape);
  const graph::Shape& written = network.values[value].shape;
  const bool image = flattened || (written.is_image() && written.rank() == 4);
  const auto innermost = images_last && image ? 1 : static_cast<std::int64_t>(written.rank()) - 1;
  return axis != innermost;
}

bool lies_channels_first(const graph::Network& network, ValueId image) {
  while (network.values[image].shape.rank() == 4) {
    const graph::Node& node = producer_of(network, image);
    if (std::holds_alternative<graph::GroupNorm>(node.operation)) return true;
    const bool keeps = is_any_of<graph::BatchNorm, graph::Pool>(node.operation);
    const auto before = keeps ? std::optional(node.inputs[0]) : order_taken_from(network, node);
    if (!before || std::holds_alternative<graph::Transpose>(node.operation)) return false;
    image = *before;
  }
  return false;
}

bool is_cut_from_channels(const graph::Network& network, ValueId value) {
  const graph::Node& node = producer_of(network, value);
  if (!is_any_of<graph::Split, graph::Slice>(node.operation)) return false;
  const graph::Shape &part = network.values[value].shape, &whole = network.values[node.inputs[0]].shape;
  return part.rank() == 4 && whole.rank() == 4 && part[1] != whole[1];
}

}  // namespace ergon::predict
