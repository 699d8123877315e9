#pragma once

#include <onnx/onnx_pb.h>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/onnx/value_info.h"

namespace ergon::graph::onnx {

// The ONNX node that a network node was created from; null for inputs.
struct NodeSource {
  const ::onnx::NodeProto* node = nullptr;
  // For each input of the ONNX node its index in Node::inputs, if it has one.
  std::vector<std::optional<std::size_t>> input_index;
  std::string constant;  // the constant that became a Parameter operation
};

// Import details for reading weights and attributes afterwards. `node` pointers refer to the imported node
// list.
struct ImportRecord {
  std::vector<NodeSource> node_sources;  // one per node of the network
  // Outputs of unknown shape. Their readers are connected to the node's first output instead.
  std::set<std::string> unsized_outputs;
  std::unordered_map<std::string, ValueInfo> values;  // by their names in the file
};

}  // namespace ergon::graph::onnx
