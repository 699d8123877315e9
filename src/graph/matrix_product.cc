#include "graph/matrix_product.h"

#include "graph/overloaded.h"

namespace ergon::graph {

bool multiplies_matrices(const Operation& operation) {
  return std::visit(Overloaded{
                        [](const Convolution&) { return true; },
                        [](const TransposedConvolution&) { return true; },
                        [](const Dense&) { return true; },
                        [](const MatrixProduct&) { return true; },
                        [](const Einsum&) { return true; },
                        [](const Recurrent&) { return true; },
                        [](const auto&) { return false; },
                    },
                    operation);
}

}  // namespace ergon::graph
