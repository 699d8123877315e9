#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_limits.h"
#include "base/result.h"
#include "graph/topology.h"
#include "systolic/array/geometry.h"

namespace ergon::systolic {

// A layer that an array can run.
struct Layer {
  std::string name;
  Geometry geometry;
};

// The layers of a topology. SCALE-Sim splits a convolution whose name contains "DP" into one single-channel
// layer per channel; `split_dp` does the same, up to limits.layers layers.
Result<std::vector<Layer>> layers_of(const graph::Topology& topology, bool split_dp,
                                     const InputLimits& limits = input_limits());

// The layers of a topology file, as SCALE-Sim reads it: layers may have equal names, "DP" layers are split,
// and a header of neither form means convolutions. `form` is the form of all rows; absent: that of the
// header.
Result<std::vector<Layer>> read_layers(const std::string& topology_file,
                                       std::optional<graph::TopologyForm> form);

// The layers of a network at batch 1. Errors: those of graph::topology_of().
Result<std::vector<Layer>> layers_of(const graph::Network& network, graph::TopologyForm form);

// The layers of a network of the zoo, by name.
Result<std::vector<Layer>> zoo_layers(std::string_view name);

}  // namespace ergon::systolic
