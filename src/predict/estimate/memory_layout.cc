#include "predict/estimate/memory_layout.h"

#include <array>
#include <optional>

namespace ergon::predict {
namespace {

using graph::ValueId;

// The transpose moves dimensions other than the last two, which products accept in either order.
bool moves_matrices(const graph::Transpose& transpose) {
  for (std::size_t axis = 0; axis + 2 < transpose.order.size(); ++axis) {
    if (transpose.order[axis] != static_cast<std::int64_t>(axis)) return true;
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

// The input whose layout the node keeps; elementwise operations keep that of their first input.
std::optional<ValueId> layout_source(const graph::Network& network, const graph::Node& node) {
  if (node.inputs.empty()) return std::nullopt;
  const ValueId first = node.inputs[0];
  const graph::Operation& operation = node.operation;
  const bool views = is_any_of<graph::Slice, graph::Split, graph::Identity, graph::Dropout>(operation);
  const bool computes =
      is_any_of<graph::Arithmetic, graph::Elementwise, graph::Normalization, graph::Transpose>(operation);
  if (views || computes) return first;
  const auto* reshape = std::get_if<graph::Reshape>(&operation);
  const bool drops_an_axis = reshape != nullptr &&
                             reshape->result.rank() + 1 == network.values[first].shape.rank() &&
                             std::holds_alternative<graph::Slice>(producer_of(network, first).operation);
  return drops_an_axis ? std::optional(first) : std::nullopt;
}

// (batch, channels, height, width) flattened to (batch, channels, height * width).
bool keeps_channels(const graph::Shape& image, const graph::Shape& flat) {
  return image.is_image() && image.rank() == 4 && flat.rank() == 3 && flat[0] == image[0] &&
         flat[1] == image[1];
}

// Image operations that keep the layout of their input.
bool filters(const graph::Operation& operation) {
  return is_any_of<graph::Convolution, graph::BatchNorm, graph::Pool>(operation);
}

}  // namespace

bool has_strided_matrices(const graph::Network& network, ValueId value) {
  while (true) {
    const graph::Node& node = producer_of(network, value);
    const auto* transpose = std::get_if<graph::Transpose>(&node.operation);
    if (transpose != nullptr && moves_matrices(*transpose)) return true;
    const auto before = layout_source(network, node);
    if (!before) return false;
    value = *before;
  }
}

// Walks back to the operation that wrote the data and composes the permutations on the way.
bool is_unintended_channels_last(const graph::Network& network, ValueId image) {
  std::array<std::int64_t, 4> axes{0, 1, 2, 3};
  while (network.values[image].shape.rank() == 4) {
    const graph::Node& node = producer_of(network, image);
    if (const auto* transpose = std::get_if<graph::Transpose>(&node.operation)) {
      for (std::int64_t& axis : axes) axis = transpose->order[static_cast<std::size_t>(axis)];
    }
    const auto before =
        filters(node.operation) ? std::optional(node.inputs[0]) : layout_source(network, node);
    if (!before) break;
    image = *before;
  }
  return axes == std::array<std::int64_t, 4>{0, 3, 1, 2};
}

bool has_strided_rows(const graph::Network& network, ValueId value, bool images_channels_last) {
  if (network.values[value].shape.rank() < 3) return false;
  auto axis = static_cast<std::int64_t>(network.values[value].shape.rank()) - 1;
  while (true) {
    const graph::Node& node = producer_of(network, value);
    if (const auto* transpose = std::get_if<graph::Transpose>(&node.operation))
      axis = transpose->order[static_cast<std::size_t>(axis)];
    const auto before = layout_source(network, node);
    if (!before || network.values[*before].shape.rank() != network.values[value].shape.rank()) break;
    value = *before;
  }
  const graph::Node& writer = producer_of(network, value);
  const bool flattened = std::holds_alternative<graph::Reshape>(writer.operation) &&
                         keeps_channels(network.values[writer.inputs[0]].shape, network.values[value].shape);
  const graph::Shape& written = network.values[value].shape;
  const bool image = flattened || (written.is_image() && written.rank() == 4);
  const auto innermost = images_channels_last && image ? 1 : static_cast<std::int64_t>(written.rank()) - 1;
  return axis != innermost;
}

bool is_unintended_channels_first(const graph::Network& network, ValueId image) {
  while (network.values[image].shape.rank() == 4) {
    const graph::Node& node = producer_of(network, image);
    if (std::holds_alternative<graph::GroupNorm>(node.operation)) return true;
    const bool meets = is_any_of<graph::BatchNorm, graph::Pool>(node.operation);
    const auto before = meets ? std::optional(node.inputs[0]) : layout_source(network, node);
    if (!before || std::holds_alternative<graph::Transpose>(node.operation)) return false;
    image = *before;
  }
  return false;
}

bool is_channel_slice(const graph::Network& network, ValueId value) {
  const graph::Node& node = producer_of(network, value);
  if (!is_any_of<graph::Split, graph::Slice>(node.operation)) return false;
  const graph::Shape &part = network.values[value].shape, &whole = network.values[node.inputs[0]].shape;
  return part.rank() == 4 && whole.rank() == 4 && part[1] != whole[1];
}

}  // namespace ergon::predict
