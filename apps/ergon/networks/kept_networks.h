#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/network.h"

namespace ergon::app {

// A dataset keeps the networks that came from files, bare of weights, so that its rows can be learned from
// where those files are not: networks/NAME.onnx, by the name that its rows have. A network whose file had its
// numbers was run as it is written there, others as a framework runs them; the ending tells
// (NAME.as_written.onnx).

// Puts those of `places` that are .onnx files into a dataset's folder. Errors: writing.
Result<> keep_networks(const std::string& folder, const std::vector<std::string>& places);

// Those of several datasets together.
class KeptNetworks {
 public:
  // Reads no file yet. A folder that keeps none adds none.
  void add(const std::string& folder);

  // The name under which a network is kept: itself, or the one that is this but for the digest of its file.
  // Errors: not_found; several are.
  Result<std::string> name_of(const std::string& name) const;
  bool holds(const std::string& name) const { return paths_.contains(name); }
  // As it was run. Errors: not kept; whatever reading can do.
  Result<graph::Network> load(const std::string& name) const;

 private:
  std::map<std::string, std::string> paths_;  // by name
};

}  // namespace ergon::app
