#pragma once

#include "graph/idioms/network_rewriter.h"

namespace ergon::graph {

// Each function matches one pattern that ends at or contains a given node, and rewrites it. Without a match
// the network is unchanged.

// A dense layer without bias, then an addition of a vector: a dense layer with bias.
void fuse_bias(NetworkRewriter& network, NodeId id);

// x * sigmoid(x), x * hard_sigmoid(x), x * (1 + erf(x / sqrt 2)) / 2, 1 / sqrt(x)
void fuse_activation(NetworkRewriter& network, NodeId id);

// (x - mean) / sqrt(variance + epsilon), with its scale and bias.
void fuse_layer_norm(NetworkRewriter& network, NodeId id);

// x / sqrt(mean(x^2) + epsilon), with its scale.
void fuse_rms_norm(NetworkRewriter& network, NodeId id);

// Reshape of groups to rows, instance norm, reshape back, with its scale and bias.
void fuse_group_norm(NetworkRewriter& network, NodeId id);

// Reshape, transpose, reshape: a transpose of the last two axes. A gather of one index: a view.
void simplify_view(NetworkRewriter& network, NodeId id);

// Scaled queries times scaled keys, mask, softmax, NaN guard: becomes one scaling, product, softmax.
void fuse_attention(NetworkRewriter& network, NodeId id);

}  // namespace ergon::graph
