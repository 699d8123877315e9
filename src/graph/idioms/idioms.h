#pragma once

#include "graph/network.h"

namespace ergon::graph {

// Fuses operator sequences that an exporter decomposed back into the operations that a framework launches: an
// ONNX file has a layer norm as nine operators, an attention as eight, a bias as a separate addition. Use the
// result for costs and predictions only, not for execution: patterns are matched by structure and shapes, and
// the values of constants are ignored. MACs and weights are unchanged, except that constant masks are
// removed.
//
// Fused: biases of dense layers; SiLU, hard swish and GELU; layer norms and group norms; reciprocal square
// roots; a transpose of the last two axes written with reshapes; a gather of one index, which is a view;
// scaled dot-product attention, including its mask and its guard against rows without keys. Attention is
// recognized by the scaling of both queries and keys, as PyTorch's exporter writes it. The operations that
// compute a mask stay. Masks and biases that the author of a network added separately stay too, because
// frameworks run them as separate operations.
Network fuse_idioms(const Network& network);

}  // namespace ergon::graph
