#pragma once

#include <span>
#include <vector>

#include "graph/operation.h"

namespace ergon::graph {

enum class WeightRole : std::uint8_t {
  kernel,  // matrix of a convolution, dense or recurrent layer
  bias,
  scale,
  statistic,  // running means and variances: stored, not trained
  table,      // embedding table
  other,
};

// A tensor that an operation stores.
struct Weight {
  WeightRole role = WeightRole::kernel;
  Shape shape;  // fixed extents only
  ElementType type = ElementType::float32;
  // Shared with an earlier operation, which counts it; it is only read here.
  bool shared = false;

  bool trainable() const { return role != WeightRole::statistic; }
  Count elements() const { return shape.elements(1); }
};

// Gates of a recurrent cell: the number of matrices that multiply its input.
std::int64_t gates_of(RecurrentCell cell);

// Weights of an operation for inputs of these shapes. Order: kernel, bias; for a norm: scale, bias, mean,
// variance. Contract: infer() accepted the inputs.
std::vector<Weight> weights_of(const Operation& operation, std::span<const Shape> inputs, ElementType type);

}  // namespace ergon::graph
