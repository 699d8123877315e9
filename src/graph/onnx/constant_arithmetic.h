#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/content.h"
#include "graph/onnx/call.h"

namespace ergon::graph::onnx {

// Number of leading inputs whose data an operator needs; empty if constant folding does not support it. Other
// inputs (the start of a slice) are read from the call.
std::optional<std::size_t> inputs_computed_with(std::string_view type);

// First output of an operator on constants, whose sizes are given. Inputs that are omitted or not needed are
// null. Empty if it cannot be computed.
std::optional<StoredTensor> computed(const NodeCall& call,
                                     std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                     const std::vector<std::int64_t>& sizes);

// Operators that move elements, and operators that calculate; each returns empty for the others.
std::optional<StoredTensor> moved(const NodeCall& call,
                                  std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                  const std::vector<std::int64_t>& sizes);
std::optional<StoredTensor> calculated(const NodeCall& call,
                                       std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                       const std::vector<std::int64_t>& sizes);

}  // namespace ergon::graph::onnx
