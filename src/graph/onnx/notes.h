#pragma once

#include <onnx/onnx_pb.h>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/onnx/known.h"

namespace ergon::graph::onnx {

// Where a node of the network comes from in its file; inputs come from nowhere.
struct Placement {
  const ::onnx::NodeProto* node = nullptr;
  // For each input of the file's node its place in Node::inputs, if it has one.
  std::vector<std::optional<std::size_t>> flows;
  std::string constant;  // the value that became a tensor by itself
};

// What an import leaves behind for those who want the numbers as well. Nodes point into the list that was
// walked.
struct Notes {
  std::vector<Placement> placements;  // one for each node of the network
  // Outputs that the network does not show as such; who reads them reads the node's first output instead.
  std::set<std::string> stand_ins;
  std::unordered_map<std::string, Known> values;  // by their names in the file
};

}  // namespace ergon::graph::onnx
