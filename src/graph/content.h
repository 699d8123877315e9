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

// A tensor with its numbers: `bytes` holds the elements densely, the last axis fastest, in the machine's own
// order of bytes.
struct StoredTensor {
  ElementType type = ElementType::float32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
};

// What a node of a network's file says beyond what it costs: which function exactly, with which numbers.
struct NodeContent {
  std::string function;  // the operator's name in the file: "LeakyRelu", "Greater", "Gemm"
  std::map<std::string, double, std::less<>> numbers;                   // "alpha", "epsilon", "transB"
  std::map<std::string, std::vector<std::int64_t>, std::less<>> lists;  // "axes", "pads"
  std::map<std::string, std::string, std::less<>> words;                // "mode": "linear"
  // The operator's inputs in the file's order, as far as the node needs them.
  struct Operand {
    // What flows: a place in Node::inputs. Otherwise the constant, or neither for one that is left out.
    std::optional<std::size_t> flows;
    std::shared_ptr<const StoredTensor> constant;
  };
  std::vector<Operand> operands;
};

// The numbers of a network's file, for running it as its author meant it. One entry per node of the network;
// inputs of the network have an empty one.
struct Content {
  std::vector<NodeContent> nodes;
};

}  // namespace ergon::graph
