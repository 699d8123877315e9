#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "graph/cost.h"
#include "graph/network.h"

namespace ergon::profile::torch {

// The tensors of a network while it runs: one for every value, undefined before it is computed and after it
// was read for the last time; and the weights of the instance that runs.
struct Registers {
  std::vector<at::Tensor> values;  // by graph::ValueId
  const std::vector<at::Tensor>* weights = nullptr;
};

// One node as calls of ATen: reads its inputs and weights, sets its outputs. Throws what ATen throws. Moves
// its constants to the device of what flows at the first call, so one thread at a time may call it.
using Kernel = std::function<void(Registers&)>;

// A node in its place, and how it is to be run.
struct NodeView {
  const graph::Network& network;
  const graph::Node& node;
  const graph::NodeContent* content = nullptr;  // null: only what the operation itself says
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  bool in_place = false;         // the first input may be overwritten: nobody reads it again
  std::size_t first_weight = 0;  // where this node's weights begin in Registers::weights
  // What floating tensors are kept in: what casts to a floating type give.
  at::ScalarType precision = at::kFloat;
  bool inputs_too = false;  // `in_place` holds for an input of the network as well
};

// A weight as ATen wants it: the extents in its order, and what to fill it with.
struct WeightPlan {
  enum class Fill : std::uint8_t { zeros, ones, normal };
  std::vector<std::int64_t> sizes;
  Fill fill = Fill::normal;
  double deviation = 1;    // of `normal`
  bool trainable = true;   // running statistics are not
  bool is_kernel = false;  // of a convolution over images: takes the layout that was asked for
  bool stays_float = false;
  // Indices, masks: kept in this type whatever the precision. Absent: floating, in the precision.
  std::optional<graph::ElementType> type;
  // The file's own numbers, in `sizes` already; then `fill` means nothing.
  std::shared_ptr<const graph::StoredTensor> content;
};

// Both answer for the same order of weights. Errors: unsupported, naming the operation ("einsum abc->d",
// "Unknown com.microsoft.Attention") and what about it.
Result<std::vector<WeightPlan>> weights_for(const NodeView& view);
Result<Kernel> kernel_of(const NodeView& view);

}  // namespace ergon::profile::torch
