#include "graph/network.h"

#include <algorithm>

namespace ergon::graph {

std::vector<Shape> Network::input_shapes(const Node& node) const {
  std::vector<Shape> shapes;
  shapes.reserve(node.inputs.size());
  for (const ValueId input : node.inputs) shapes.push_back(values[input].shape);
  return shapes;
}

const Value& Network::output_of(const Layer& layer) const {
  ERGON_EXPECTS(layer.count > 0);
  return values[nodes[layer.first + layer.count - 1].outputs.front()];
}

std::optional<std::vector<std::int64_t>> Network::output_sizes(const Layer& layer) const {
  const auto* last = std::get_if<Unknown>(&nodes[layer.first + layer.count - 1].operation);
  if (last != nullptr && !last->shapes_known) return std::nullopt;
  return output_of(layer).shape.per_sample();
}

std::vector<LayerId> Network::inputs_of(LayerId layer) const {
  std::vector<LayerId> from;
  const Layer& reader = layers[layer];
  for (NodeId i = reader.first; i < reader.first + reader.count; ++i) {
    for (const ValueId input : nodes[i].inputs) {
      const LayerId source = nodes[values[input].producer].layer;
      if (source != layer && std::find(from.begin(), from.end(), source) == from.end())
        from.push_back(source);
    }
  }
  return from;
}

}  // namespace ergon::graph
