#include "graph/zoo/attention.h"

namespace ergon::graph::zoo {

Tensor split_heads(Builder& b, Tensor x, std::int64_t heads) {
  const Shape from = b.shape(x);
  const Tensor y = b.put(Reshape{Shape{from[0], from[1], {heads}, {from[2].size / heads}}}, {x});
  return b.put(Transpose{{0, 2, 1, 3}}, {y});
}

Tensor merge_heads(Builder& b, Tensor x) {
  const Tensor y = b.put(Transpose{{0, 2, 1, 3}}, {x});
  const Shape from = b.shape(y);
  return b.put(Reshape{Shape{from[0], from[1], {from[2].size * from[3].size}}}, {y});
}

Tensor attend(Builder& b, Tensor q, Tensor k, Tensor v, const Attention& how) {
  if (how.scaled) q = b.put(Arithmetic{Combine::multiply, std::nullopt, true}, {q});
  const Tensor transposed = b.put(Transpose{{0, 1, 3, 2}}, {k});
  Tensor scores = b.put(MatrixProduct{}, {q, transposed});
  if (how.bias) scores = b.put(Arithmetic{Combine::add}, {scores, *how.bias});
  if (how.masked) scores = b.put(Arithmetic{Combine::add, std::nullopt, true}, {scores});
  const Tensor weights = b.put(Softmax{-1}, {scores});
  return b.put(MatrixProduct{}, {weights, v});
}

}  // namespace ergon::graph::zoo
