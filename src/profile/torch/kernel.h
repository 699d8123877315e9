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

// The tensors of a running network. A value is undefined before it is computed and after its last use.
// `weights` are those of the running instance.
struct Registers {
  std::vector<at::Tensor> values;  // by graph::ValueId
  const std::vector<at::Tensor>* weights = nullptr;
};

// One node as ATen calls: reads inputs and weights, sets outputs. Throws exceptions of ATen. Not thread-safe:
// the first call moves constants to the device of the inputs.
using Kernel = std::function<void(Registers&)>;

// A node of a network and how it is run.
struct NodeView {
  const graph::Network& network;
  const graph::Node& node;
  const graph::NodeContent* content = nullptr;  // null: the network has no file content
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  bool in_place = false;         // the first input may be overwritten: no later reader
  std::size_t first_weight = 0;  // index of this node's first weight in Registers::weights
  // Element type of floating-point tensors, and of casts to floating-point types.
  at::ScalarType precision = at::kFloat;
  bool network_inputs_too = false;  // `in_place` applies to inputs of the network too
};

// A weight in ATen's layout: sizes and initialization.
struct WeightPlan {
  enum class Fill : std::uint8_t { zeros, ones, normal };
  std::vector<std::int64_t> sizes;
  Fill fill = Fill::normal;
  double deviation = 1;    // of `normal`
  bool trainable = true;   // running statistics are not
  bool is_kernel = false;  // of a 2D convolution: uses the layout of the condition
  bool keep_float32 = false;
  // Type of indices and masks, independent of the precision. Absent: floating-point in the precision.
  std::optional<graph::ElementType> type;
  // Values of the file, in `sizes`; replaces `fill`.
  std::shared_ptr<const graph::StoredTensor> content;
};

// Both use the same order of weights. Errors: unsupported, naming the operation ("einsum abc->d",
// "Unknown com.microsoft.Attention") and the reason.
Result<std::vector<WeightPlan>> weights_for(const NodeView& view);
Result<Kernel> kernel_of(const NodeView& view);

}  // namespace ergon::profile::torch
