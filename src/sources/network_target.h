#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "graph/network.h"
#include "graph/topology.h"

namespace ergon::sources {

// A file that a user wants a network written to: .onnx, or .csv for a topology file.
struct NetworkTarget {
  std::string file;
  std::optional<graph::TopologyForm> form;  // rows of a .csv file; absent: convolutions

  // The contents of the file. Errors: another ending; a form for an .onnx file; a network that the format
  // cannot express.
  Result<std::string> contents(const graph::Network& network) const;
};

}  // namespace ergon::sources
