#pragma once

#include "graph/operation.h"

namespace ergon::graph {

// Whether the operation multiplies matrices: convolutions, dense and recurrent layers, products, einsums.
bool multiplies_matrices(const Operation& operation);

}  // namespace ergon::graph
