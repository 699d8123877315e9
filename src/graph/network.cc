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
  // From the last operation backward, so that the input of a residual addition comes before the residual
  // branch.
  for (NodeId i = reader.first + reader.count; i > reader.first; --i) {
    for (const ValueId input : nodes[i - 1].inputs) {
      const LayerId source = nodes[values[input].producer].layer;
      if (source != layer && std::find(from.begin(), from.end(), source) == from.end())
        from.push_back(source);
    }
  }
  return from;
}

Network depth_first_order(const Network& network) {
  // Depth-first search from the outputs: a layer directly follows the last of its inputs.
  std::vector<LayerId> order;
  std::vector<bool> visited(network.layers.size(), false);
  struct Visit {
    LayerId layer;
    std::vector<LayerId> inputs;
    std::size_t next = 0;
  };
  std::vector<Visit> open;
  const auto enter = [&](LayerId layer) {
    if (visited[layer]) return;
    visited[layer] = true;
    open.push_back({layer, network.inputs_of(layer)});
  };
  for (const ValueId output : network.outputs) {
    enter(network.nodes[network.values[output].producer].layer);
    while (!open.empty()) {
      Visit& visit = open.back();
      if (visit.next < visit.inputs.size()) {
        enter(visit.inputs[visit.next++]);
      } else {
        order.push_back(visit.layer);
        open.pop_back();
      }
    }
  }
  for (LayerId layer = 0; layer < network.layers.size(); ++layer) {
    if (!visited[layer]) order.push_back(layer);
  }
  Network sorted = network;
  sorted.nodes.clear();
  sorted.layers.clear();
  for (const LayerId id : order) {
    Layer layer = network.layers[id];
    const auto first = static_cast<NodeId>(sorted.nodes.size());
    for (NodeId i = layer.first; i < layer.first + layer.count; ++i) {
      Node node = network.nodes[i];
      node.layer = static_cast<LayerId>(sorted.layers.size());
      for (const ValueId output : node.outputs)
        sorted.values[output].producer = static_cast<NodeId>(sorted.nodes.size());
      sorted.nodes.push_back(std::move(node));
    }
    layer.first = first;
    sorted.layers.push_back(std::move(layer));
  }
  return sorted;
}

}  // namespace ergon::graph
