#pragma once

#include <span>
#include <vector>

#include "graph/operation.h"

namespace ergon::graph {

enum class WeightRole : std::uint8_t {
  kernel,  // of a convolution, dense or recurrent layer
  bias,
  scale,
  statistic,  // running means and variances: stored, not trained
  table,      // of an embedding
  other,
};

// A tensor that an operation stores.
struct Weight {
  WeightRole role = WeightRole::kernel;
  Shape shape;  // fixed extents only
  ElementType type = ElementType::float32;
  // Another operation stores it already; it is read here and counted there.
  bool shared = false;

  bool trainable() const { return role != WeightRole::statistic; }
  Count elements() const { return shape.elements(1); }
};

// Matrices that a recurrent cell multiplies its input by.
std::int64_t gates_of(RecurrentCell cell);

// What an operation stores for inputs of these shapes: the kernel first, then bias; scale, bias, mean,
// variance for a norm. Contract: infer() accepted the inputs.
std::vector<Weight> weights_of(const Operation& operation, std::span<const Shape> inputs, ElementType type);

}  // namespace ergon::graph
