#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/network.h"

namespace ergon::sources {

// A dataset stores the networks that came from .onnx files, without weights, so that a model can be fitted
// without the original files: networks/NAME.onnx, with the network's name in the rows. A file with weights
// was run node by node and is stored as NAME.as_written.onnx; a file without weights was run with fused
// operators.

// Stores those of `names` that are .onnx files in a dataset's folder. Errors: writing.
Result<> store_networks(const std::string& folder, const std::vector<std::string>& names);

// The stored networks of several datasets.
class StoredNetworks {
 public:
  // Lists the folder; reads no network yet. A folder without stored networks is not an error.
  void add(const std::string& folder);

  // Full name of a stored network; the digest ("#1a2b3c4d") may be omitted. Errors: unknown_name;
  // invalid_input if the name without digest is ambiguous.
  Result<std::string> name_of(const std::string& name) const;
  bool holds(const std::string& name) const { return paths_.contains(name); }
  // The network as it was run. Errors: unknown_name; reading.
  Result<graph::Network> load(const std::string& name) const;

 private:
  std::map<std::string, std::string> paths_;  // by name
};

}  // namespace ergon::sources
