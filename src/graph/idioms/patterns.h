#pragma once

#include "graph/idioms/rewriting.h"

namespace ergon::graph {

// Each looks at one node, by which it knows what it reads back, and changes nothing where that is not it.

// A dense layer without a bias, and a sum with a vector: a dense layer with one.
void read_bias(Rewriting& network, NodeId id);

// x * sigmoid(x), x * hard_sigmoid(x), x * (1 + erf(x / sqrt 2)) / 2, 1 / sqrt(x)
void read_activation(Rewriting& network, NodeId id);

// (x - mean) / sqrt(variance + small), and its scale and centre.
void read_layer_norm(Rewriting& network, NodeId id);

// Groups as rows, an instance norm of these, back again, and its scale and centre.
void read_group_norm(Rewriting& network, NodeId id);

// Reshape, turn, reshape: a turn of the last two axes. One index of an axis: a view.
void read_view(Rewriting& network, NodeId id);

// Scaled queries times scaled keys, a mask, softmax, a guard: as its framework has it, scaled once and with
// nothing between.
void read_attention(Rewriting& network, NodeId id);

}  // namespace ergon::graph
