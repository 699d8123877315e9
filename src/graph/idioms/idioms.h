#pragma once

#include "graph/network.h"

namespace ergon::graph {

// Exporters spell out what a framework runs at once: a layer norm as nine operators, an attention as eight, a
// bias as a sum of its own. This is the network as it was before that, for whoever asks what running it
// costs. It has the same products and the same weights but for masks, and is not meant to be run: numbers in
// arithmetic are not looked at, so that a norm, an activation or an attention is known by its shape alone.
//
// Read back are: biases of dense layers; SiLU, hard swish and GELU; layer norms; reciprocal square roots; the
// turn of the last two axes by way of reshapes; the pick of one index along an axis, which is a view; and
// scaled dot-product attention, whose mark is that queries and keys are each scaled, with its mask and its
// guard against rows without any key. A mask that is computed still is; one that is a constant is forgotten.
// Masks and biases that were added by hand are left alone: frameworks run them as they stand.
Network read_idioms(const Network& network);

}  // namespace ergon::graph
