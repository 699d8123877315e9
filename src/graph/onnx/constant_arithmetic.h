#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/content.h"
#include "graph/onnx/call.h"

namespace ergon::graph::onnx {

// How many of an operator's first inputs are needed to compute it; nothing when it is not computed here. What
// else it reads (where a slice starts) is among what the call knows.
std::optional<std::size_t> inputs_computed_with(std::string_view type);

// The first output of an operator on constants, which is known to have these sizes. Inputs that are left out
// or not needed are null. Nothing when it cannot be computed.
std::optional<StoredTensor> computed(const Call& call,
                                     std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                     const std::vector<std::int64_t>& sizes);

// Families of operators; nothing for those of the other one.
std::optional<StoredTensor> moved(const Call& call,
                                  std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                  const std::vector<std::int64_t>& sizes);
std::optional<StoredTensor> calculated(const Call& call,
                                       std::span<const std::shared_ptr<const StoredTensor>> inputs,
                                       const std::vector<std::int64_t>& sizes);

}  // namespace ergon::graph::onnx
