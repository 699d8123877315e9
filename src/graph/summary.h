#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/cost.h"

namespace ergon::graph {

// One layer and its cost.
struct LayerCosts {
  LayerId layer = 0;
  Costs costs;
};

// Operations with equal type, attributes, element type and input shapes. They cost the same, so one
// measurement covers all of them.
struct UniqueOperation {
  NodeId example = 0;
  std::string kind;
  std::vector<Attribute> attributes;
  std::vector<Shape> inputs;
  ElementType type = ElementType::float32;
  bool needs_input_gradient = true;
  std::int64_t count = 0;
  Costs each;
  std::vector<NodeId> nodes;  // all occurrences in order; the first is the example
};

struct Totals {
  Costs sum;
  std::int64_t trainable = 0;       // parameters without running statistics
  std::int64_t kernel_weights = 0;  // parameters of convolutions and dense layers, without biases
  std::map<MacType, std::int64_t> macs;
  // Output elements of every layer, including the input: what Keras users count as neurons.
  std::int64_t activations = 0;
  std::int64_t layers = 0;
};

// Costs of one iteration of a network, at one batch in one mode.
struct NetworkCosts {
  Totals totals;
  std::vector<LayerCosts> layers;  // layers that exist in this mode, in order
  // Operations of unknown cost: "domain.Type" and their count.
  std::map<std::string, std::int64_t> unknown;
};

// Errors: a batch that the network cannot run at; counts beyond 64 bits (names the layer).
Result<NetworkCosts> network_costs(const Network& network, std::int64_t batch, Mode mode);

Result<std::vector<UniqueOperation>> unique_operations(const Network& network, std::int64_t batch, Mode mode);

// For every node: whether the backward pass computes the gradient of its inputs, because an earlier node is
// trainable.
std::vector<bool> needs_input_gradient(const Network& network);

}  // namespace ergon::graph
