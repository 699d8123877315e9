#pragma once

#include "graph/network.h"

namespace ergon::graph {

// Exporters spell out what a framework runs at once: a layer norm as nine operators, an attention as eight, a
// bias as a sum of its own. This is the network as it was before that, for whoever asks what running it
// costs; its results, weights and multiplications are the same.
//
// Read back are: biases of dense layers; SiLU, hard swish and GELU; layer norms; reciprocal square roots; the
// turn of the last two axes by way of reshapes; the pick of one index along an axis, which is a view; and
// scaled dot-product attention, whose mark is that queries and keys are each scaled, with its mask and its
// guard against rows without any key. Attention that was written out by hand is left alone: frameworks run it
// as it stands.
Network read_idioms(const Network& network);

}  // namespace ergon::graph
