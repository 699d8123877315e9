#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "graph/operation.h"

namespace ergon::graph {

// The shapes an operation gives for the shapes it takes, with the batch left symbolic. Contradictions
// (channels that do not divide into groups, a kernel larger than its image, operands that do not fit) are
// errors that name the shapes.
Result<std::vector<Shape>> infer(const Operation& operation, std::span<const Shape> inputs);

// Every extent is at least 1 and the element count at batch 1 fits in 64 bits.
Result<> check_shape(const Shape& shape);

// The matrices of a product after stretching: (..., rows, inner) x (..., inner, columns).
struct ProductShape {
  Shape result;
  Dim inner;
};
Result<ProductShape> infer_product(const Shape& left, const Shape& right);
Result<ProductShape> infer_product(const MatrixProduct& product, std::span<const Shape> inputs);

}  // namespace ergon::graph
