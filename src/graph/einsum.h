#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "graph/shape.h"

namespace ergon::graph {

// Shape of an einsum's result, and the extent of every label. The product of these extents is the number of
// multiplications per operand beyond the first.
struct EinsumShape {
  Shape result;
  std::vector<Dim> label_extents;
};

// Labels are letters; "..." stands for leading axes, which broadcast among the operands that have it.
Result<EinsumShape> infer_einsum(std::string_view equation, std::span<const Shape> inputs);

}  // namespace ergon::graph
