#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/zoo/zoo.h"

namespace ergon::graph::zoo {

// A built-in network at its default input size, per sample.
struct Listing {
  const Entry* entry = nullptr;
  std::vector<std::int64_t> input;  // shape
  std::int64_t depth = 0;
  std::int64_t neurons = 0;
  Totals totals;
};

// All networks, or those of one family (ignoring case), in the order of entries(). Errors: unknown_name, with
// the nearest family; those of build().
Result<std::vector<Listing>> listings(std::string_view family = {});

// "every_layer", "convolutions_and_dense_layers", "kernel_shapes_without_first_extent".
std::string_view name_of(NeuronCount convention);

}  // namespace ergon::graph::zoo
