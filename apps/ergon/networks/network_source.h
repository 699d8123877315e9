#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/network.h"
#include "graph/summary.h"
#include "options.h"

namespace ergon::app {

// A network by its place: a name from the zoo, an .onnx file or a topology .csv.
struct NetworkSource {
  std::string where;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> sequence;
  std::vector<std::string> dimensions;  // "height=224"
  bool strict = false;

  void declare(Options& options, bool required = true);
  // With `only_check`, whether the options fit to a topology file; then the network is empty.
  Result<graph::Network> load(bool only_check = false) const;
  // The files that were read, for the provenance.
  std::vector<std::string> files() const;
};

// "--batch" and "--mode", for commands that ask what a network costs.
struct CostSettings {
  std::optional<std::int64_t> batch;
  std::string mode = "inference";

  void declare(Options& options);
  std::int64_t batch_for(const graph::Network& network) const;
  graph::Mode cost_mode() const;
};

}  // namespace ergon::app
