#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "graph/operation.h"

namespace ergon::graph {

// Output shapes of an operation for given input shapes, with a symbolic batch. Errors name the shapes:
// channels that groups do not divide, a kernel larger than its image, operands that do not broadcast.
Result<std::vector<Shape>> infer(const Operation& operation, std::span<const Shape> inputs);

// Every extent is at least 1 and the element count at batch 1 fits in 64 bits.
Result<> check_shape(const Shape& shape);

// Matrix product after broadcasting: (..., rows, inner) x (..., inner, columns).
struct ProductShape {
  Shape result;
  Dim inner;
};
Result<ProductShape> infer_product(const Shape& left, const Shape& right);
Result<ProductShape> infer_product(const MatrixProduct& product, std::span<const Shape> inputs);

}  // namespace ergon::graph
