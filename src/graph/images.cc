#include "graph/images.h"

#include <algorithm>

#include "graph/overloaded.h"

namespace ergon::graph {
namespace {

bool works_on_images(const Operation& operation) {
  return std::holds_alternative<Convolution>(operation) ||
         std::holds_alternative<TransposedConvolution>(operation) ||
         std::holds_alternative<Pool>(operation) || std::holds_alternative<AdaptivePool>(operation) ||
         std::holds_alternative<BatchNorm>(operation) || std::holds_alternative<LocalResponseNorm>(operation);
}

bool keeps_images(const Operation& operation) {
  return std::visit(Overloaded{
                        [](const Elementwise&) { return true; },
                        [](const Arithmetic&) { return true; },
                        [](const GroupNorm&) { return true; },
                        [](const Normalization&) { return true; },
                        [](const Concat&) { return true; },
                        [](const Split&) { return true; },
                        [](const Slice&) { return true; },
                        [](const Pad&) { return true; },
                        [](const Resize&) { return true; },
                        [](const Dropout&) { return true; },
                        [](const Identity&) { return true; },
                        [](const auto&) { return false; },
                    },
                    operation);
}

// Returns whether the mark changed.
bool mark(Value& value) {
  if (value.shape.is_image() || value.shape.rank() < 3 || !value.shape[0].is_batch()) return false;
  value.shape.set_image(true);
  return true;
}

bool moves_channels_first(const Operation& operation) {
  const auto* transpose = std::get_if<Transpose>(&operation);
  return transpose != nullptr && transpose->order == std::vector<std::int64_t>{0, 3, 1, 2};
}

// Propagates the mark from inputs to outputs of equal rank, or backward. Returns whether a mark changed.
bool spread(Network& network, const Node& node, bool backward) {
  const auto is_image = [&](ValueId id) { return network.values[id].shape.is_image(); };
  const auto& from = backward ? node.outputs : node.inputs;
  const auto& to = backward ? node.inputs : node.outputs;
  const auto found = std::find_if(from.begin(), from.end(), is_image);
  if (found == from.end()) return false;
  const std::size_t rank = network.values[*found].shape.rank();
  bool changed = false;
  for (const ValueId id : to) {
    if (network.values[id].shape.rank() == rank) changed = mark(network.values[id]) || changed;
  }
  return changed;
}

}  // namespace

void mark_images(Network& network) {
  for (const Node& node : network.nodes) {
    if (moves_channels_first(node.operation)) mark(network.values[node.outputs[0]]);
    if (!works_on_images(node.operation)) continue;
    if (!node.inputs.empty()) mark(network.values[node.inputs[0]]);
    mark(network.values[node.outputs[0]]);
  }
  // Repeat until no mark changes; the number of rounds is bounded.
  constexpr int kRounds = 8;
  bool changed = true;
  for (int round = 0; changed && round < kRounds; ++round) {
    changed = false;
    for (auto node = network.nodes.rbegin(); node != network.nodes.rend(); ++node) {
      if (keeps_images(node->operation)) changed = spread(network, *node, true) || changed;
    }
    for (const Node& node : network.nodes) {
      if (keeps_images(node.operation)) changed = spread(network, node, false) || changed;
    }
  }
  // Operations that store their result's shape get the same mark.
  for (Node& node : network.nodes) {
    const bool image = network.values[node.outputs[0]].shape.is_image();
    std::visit(Overloaded{
                   [&](Reshape& op) { op.result.set_image(image); },
                   [&](Slice& op) { op.result.set_image(image); },
                   [&](Resize& op) { op.result.set_image(image); },
                   [](auto&) {},
               },
               node.operation);
  }
}

}  // namespace ergon::graph
