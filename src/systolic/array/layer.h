#pragma once

#include <string>
#include <string_view>
#include <vector>

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
// layer per channel; `split_dp` does the same.
Result<std::vector<Layer>> layers_of(const graph::Topology& topology, bool split_dp);

// The layers of a network of the zoo, by name.
Result<std::vector<Layer>> zoo_layers(std::string_view name);

}  // namespace ergon::systolic
