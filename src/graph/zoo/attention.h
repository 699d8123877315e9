#pragma once

#include <optional>

#include "graph/builder.h"

namespace ergon::graph::zoo {

// Attention of a transformer block, as operations of the current layer.

// (n, tokens, heads * width) to (n, heads, tokens, width) and back.
Tensor split_heads(Builder& b, Tensor x, std::int64_t heads);
Tensor merge_heads(Builder& b, Tensor x);

// softmax(q k' [+ bias]) v over (n, heads, tokens, width). The bias, such as a mask, is a constant or a
// tensor.
struct Attention {
  bool scaled = true;   // by 1 / sqrt(width)
  bool masked = false;  // a constant is added to the scores
  std::optional<Tensor> bias;
};
Tensor attend(Builder& b, Tensor q, Tensor k, Tensor v, const Attention& how);

}  // namespace ergon::graph::zoo
