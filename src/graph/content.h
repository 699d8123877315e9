#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/element_type.h"

namespace ergon::graph {

// A tensor with its data. `bytes` holds the elements contiguously in row-major order and native byte order.
struct StoredTensor {
  ElementType type = ElementType::float32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
};

// Attributes and constants of one node that its cost does not depend on, but its result does.
struct NodeContent {
  std::string function;  // the operator's name in the file: "LeakyRelu", "Greater", "Gemm"
  std::map<std::string, double, std::less<>> numbers;                   // "alpha", "epsilon", "transB"
  std::map<std::string, std::vector<std::int64_t>, std::less<>> lists;  // "axes", "pads"
  std::map<std::string, std::string, std::less<>> words;                // "mode": "linear"
  // The operator's inputs in the order of the file. Inputs that the node does not need are omitted.
  struct Operand {
    // Index into Node::inputs if the operand is computed at run time. Otherwise `constant` is set. Both are
    // empty for an omitted optional input.
    std::optional<std::size_t> input_index;
    std::shared_ptr<const StoredTensor> constant;
  };
  std::vector<Operand> operands;
};

// Attributes and constants of a network's file, for running the network with its real weights. One entry per
// node; the entries of network inputs are empty.
struct Content {
  std::vector<NodeContent> nodes;
};

}  // namespace ergon::graph
