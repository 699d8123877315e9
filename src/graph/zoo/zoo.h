#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/summary.h"
#include "graph/zoo/entry.h"

namespace ergon::graph::zoo {

// Every network Ergon can build, family by family in the order in which bare names are looked up.
const std::vector<Entry>& entries();

// "resnet50" is the first network of that name; "keras/resnet101" is exact. Errors name what was probably
// meant.
Result<const Entry*> find(std::string_view name);

struct Wish {
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> sequence;
};

// Errors: a choice that the network does not have, or an input it does not fit.
Result<Network> build(const Entry& entry, const Wish& wish = {});

// The figure that the literature calls neurons, at batch 1. `bill` is the network's at batch 1, for
// inference.
std::int64_t neurons(const Entry& entry, const Network& network, const Bill& bill);

// Convolutions and dense layers on the longest way from an input to an output: what "a 50-layer network"
// counts.
std::int64_t depth(const Network& network);

}  // namespace ergon::graph::zoo
