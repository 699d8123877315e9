#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/operation.h"
#include "graph/weights.h"

namespace ergon::graph {

using ValueId = std::uint32_t;
using NodeId = std::uint32_t;
using LayerId = std::uint32_t;

// A tensor: output of one operation, input of others.
struct Value {
  Shape shape;
  ElementType type = ElementType::float32;
  NodeId producer = 0;
};

// One operation of a network, with its inputs, outputs and weights.
struct Node {
  Operation operation;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Weight> weights;
  LayerId layer = 0;
};

// A layer as the network's framework defines it: one operation, or a chain of them (a separable convolution
// is a depthwise and a pointwise convolution).
struct Layer {
  std::string name;
  std::string type;  // the framework's name: "Conv2D", "BatchNorm2d", "Relu"
  NodeId first = 0;
  NodeId count = 0;
  // Auxiliary heads exist in training only.
  bool training_only = false;
};

// A network: operations in topological order, grouped into layers.
struct Network {
  std::string name;    // "resnet50"
  std::string family;  // "torchvision", or "onnx" and "topology" for files
  // The library whose modules it uses, if known: "transformers" for Hugging Face models.
  std::string modules;
  std::vector<Node> nodes;
  std::vector<Layer> layers;
  std::vector<Value> values;
  std::vector<ValueId> outputs;
  // The batch in the network's file, and whether the network runs at no other batch.
  std::optional<std::int64_t> default_batch;
  bool batch_is_fixed = false;
  // Topology files: every row is an independent layer with a separate input.
  bool independent_layers = false;
  // .onnx files: convolutions into which the exporter folded a batch norm.
  std::int64_t folded_batch_norms = 0;

  std::vector<Shape> input_shapes(const Node& node) const;
  const Value& output_of(const Layer& layer) const;
  // The layers whose outputs this layer reads, in order, without duplicates.
  std::vector<LayerId> inputs_of(LayerId layer) const;
  // Empty if the layer ends in an operation of unknown cost and unknown output shape.
  std::optional<std::vector<std::int64_t>> output_sizes(const Layer& layer) const;
};

// The same network with layers sorted by a depth-first search from the outputs: each layer directly follows
// the last of its inputs.
Network depth_first_order(const Network& network);

}  // namespace ergon::graph
