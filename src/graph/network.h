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

// A tensor that flows from one operation to others.
struct Value {
  Shape shape;
  ElementType type = ElementType::float32;
  NodeId producer = 0;
};

// One operation in its place.
struct Node {
  Operation operation;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<Weight> weights;
  LayerId layer = 0;
};

// What the network's own framework calls one layer: one operation, or a few in a row (a separable convolution
// is a depthwise and a pointwise one).
struct Layer {
  std::string name;
  std::string type;  // the framework's word: "Conv2D", "BatchNorm2d", "Relu"
  NodeId first = 0;
  NodeId count = 0;
  // Auxiliary heads exist while training and are cut off for inference.
  bool training_only = false;
};

// A network: operations in an order in which each follows its inputs, grouped into layers.
struct Network {
  std::string name;    // "resnet50"
  std::string family;  // "torchvision", or "onnx" and "topology" for files
  // Whose modules it is written in, where that is known: "transformers" for Hugging Face's.
  std::string modules;
  std::vector<Node> nodes;
  std::vector<Layer> layers;
  std::vector<Value> values;
  std::vector<ValueId> outputs;
  // The batch that the network's file was written for, and whether it can run at no other.
  std::optional<std::int64_t> usual_batch;
  bool batch_is_fixed = false;
  // Rows of a topology file stand side by side, each with an input of its own.
  bool independent_layers = false;

  std::vector<Shape> input_shapes(const Node& node) const;
  const Value& output_of(const Layer& layer) const;
  // The layers whose results this one reads, in order, each once.
  std::vector<LayerId> inputs_of(LayerId layer) const;
  // Nothing when an operation of unknown cost does not say.
  std::optional<std::vector<std::int64_t>> output_sizes(const Layer& layer) const;
};

// The same network with every layer right behind the last of its inputs, as a walk back from the outputs
// finds them.
Network in_order_of_need(const Network& network);

}  // namespace ergon::graph
