#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/summary.h"
#include "graph/zoo/entry.h"

namespace ergon::graph::zoo {

// All built-in networks, grouped by family. Names without a family are looked up in this order.
const std::vector<Entry>& entries();

// "resnet50" is the first network of that name; "keras/resnet101" is exact. Case is ignored. Errors:
// Errc::unknown_name, with the nearest name.
Result<const Entry*> find(std::string_view name);

// Empty: the entry's default.
struct BuildOptions {
  std::optional<std::int64_t> size;      // side of the square input image
  std::optional<std::int64_t> sequence;  // tokens
};

// Errors: an option that the network does not have; an input size that the network does not support.
Result<Network> build(const Entry& entry, const BuildOptions& options = {});

// Neurons as counted in the literature (NeuronCount), at batch 1. `costs`: inference at batch 1.
std::int64_t neurons(const Entry& entry, const Network& network, const NetworkCosts& costs);

// Convolutions and dense layers on the longest path from an input to an output: the 50 of "ResNet-50".
std::int64_t depth(const Network& network);

}  // namespace ergon::graph::zoo
