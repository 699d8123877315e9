#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "graph/shape.h"

namespace ergon::graph {

// What a sum of products in Einstein's notation gives: the shape of the result and every extent that is
// walked, whose product is the number of multiplications per term.
struct EinsumShape {
  Shape result;
  std::vector<Dim> walked;
};

// Labels are letters; "..." stands for leading axes that all operands that have it share in full.
Result<EinsumShape> infer_einsum(std::string_view equation, std::span<const Shape> inputs);

}  // namespace ergon::graph
