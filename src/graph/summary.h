#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/cost.h"

namespace ergon::graph {

// One layer with what it costs.
struct LayerCosts {
  LayerId layer = 0;
  Costs costs;
};

// Operations that are alike in kind, attributes, element type and input shapes, and so cost the same wherever
// they stand: what has to be measured once to know a network.
struct UniqueOperation {
  NodeId example = 0;
  std::string kind;
  std::vector<Attribute> attributes;
  std::vector<Shape> inputs;
  ElementType type = ElementType::float32;
  bool gradient_wanted = true;
  std::int64_t count = 0;
  Costs each;
  std::vector<NodeId> nodes;  // where they stand, in order; the first is the example
};

struct Totals {
  Costs sum;
  std::int64_t trainable = 0;       // parameters without running statistics
  std::int64_t kernel_weights = 0;  // parameters of convolutions and dense layers, without biases
  std::map<MacType, std::int64_t> macs;
  // Output elements of every layer, the input included: what Keras users count as neurons.
  std::int64_t activations = 0;
  std::int64_t layers = 0;
};

// A network's bill at one batch, for one pass in one mode.
struct Bill {
  Totals totals;
  std::vector<LayerCosts> layers;  // those that exist in this mode, in order
  // Operations nobody knows the cost of: "domain.Type", and how many.
  std::map<std::string, std::int64_t> unknown;
};

// Errors: a batch that the network cannot run at, counts beyond 64 bits (with the layer).
Result<Bill> bill(const Network& network, std::int64_t batch, Mode mode);

Result<std::vector<UniqueOperation>> unique_operations(const Network& network, std::int64_t batch, Mode mode);

// For every node: something before it learns, so that its inputs need a gradient.
std::vector<bool> gradient_wanted(const Network& network);

}  // namespace ergon::graph
