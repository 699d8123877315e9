#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/hf/layers.h"
#include "graph/zoo/hf/networks.h"

namespace ergon::graph::zoo::hf {
namespace {

constexpr std::int64_t kBertVocabulary = 30522;
constexpr std::int64_t kBertWidth = 768;
constexpr std::int64_t kBertHeads = 12;
constexpr std::int64_t kPositions = 512;

Tensor self_attention(Layers& h, Tensor q, Tensor k, Tensor v, const std::string& name) {
  Builder& b = h.build();
  if (b.failed()) return q;
  b.open(name, "scaled_dot_product_attention");
  const Tensor heads = attend(b, split_heads(b, q, kBertHeads), split_heads(b, k, kBertHeads),
                              split_heads(b, v, kBertHeads), {true, true, std::nullopt});
  return merge_heads(b, heads);
}

Tensor bert_layer(Layers& h, Tensor x, const std::string& name) {
  const Tensor q = h.linear(x, kBertWidth, name + ".attention.self.query");
  const Tensor k = h.linear(x, kBertWidth, name + ".attention.self.key");
  const Tensor v = h.linear(x, kBertWidth, name + ".attention.self.value");
  Tensor y = self_attention(h, q, k, v, name + ".attention.self");
  y = h.dropout(h.linear(y, kBertWidth, name + ".attention.output.dense"),
                name + ".attention.output.dropout");
  x = h.layer_norm(h.add(y, x), name + ".attention.output.LayerNorm");
  y = h.linear(x, 4 * kBertWidth, name + ".intermediate.dense");
  y = h.act(y, Function::gelu, "GELUActivation", name + ".intermediate.act");
  y = h.dropout(h.linear(y, kBertWidth, name + ".output.dense"), name + ".output.dropout");
  return h.layer_norm(h.add(y, x), name + ".output.LayerNorm");
}

Tensor distilled_layer(Layers& h, Tensor x, const std::string& name) {
  const Tensor q = h.linear(x, kBertWidth, name + ".attention.q_lin");
  const Tensor k = h.linear(x, kBertWidth, name + ".attention.k_lin");
  const Tensor v = h.linear(x, kBertWidth, name + ".attention.v_lin");
  Tensor y = self_attention(h, q, k, v, name + ".attention");
  y = h.linear(y, kBertWidth, name + ".attention.out_lin");
  x = h.layer_norm(h.add(y, x), name + ".sa_layer_norm");
  y = h.act(h.linear(x, 4 * kBertWidth, name + ".ffn.lin1"), Function::gelu, "GELUActivation",
            name + ".ffn.activation");
  y = h.dropout(h.linear(y, kBertWidth, name + ".ffn.lin2"), name + ".ffn.dropout");
  return h.layer_norm(h.add(y, x), name + ".output_layer_norm");
}

}  // namespace

Result<Network> bert_base(const InputSize& input) {
  Layers h("bert_base", input.sequence, kPositions);
  Tensor x = h.embedding(h.tokens("input_ids"), kBertVocabulary, kBertWidth, "embeddings.word_embeddings");
  x = h.add(x, h.embedding(h.tokens("token_type_ids"), 2, kBertWidth, "embeddings.token_type_embeddings"));
  x = h.add(x, h.positions(kPositions, kBertWidth, "embeddings.position_embeddings"));
  x = h.dropout(h.layer_norm(x, "embeddings.LayerNorm"), "embeddings.dropout");
  for (int i = 0; i < 12; ++i) x = bert_layer(h, x, fmt::format("encoder.layer.{}", i));
  const Tensor first = h.build().add("select", "select", Gather{Shape{Dim::batch(), {kBertWidth}}}, {x});
  Tensor pooled = h.linear(first, kBertWidth, "pooler.dense");
  pooled = h.act(pooled, Function::tanh, "Tanh", "pooler.activation");
  return h.build().finish({x, pooled});
}

Result<Network> distilbert(const InputSize& input) {
  Layers h("distilbert", input.sequence, kPositions);
  Tensor x = h.embedding(h.tokens("input_ids"), kBertVocabulary, kBertWidth, "embeddings.word_embeddings");
  x = h.add(x, h.positions(kPositions, kBertWidth, "embeddings.position_embeddings"));
  x = h.dropout(h.layer_norm(x, "embeddings.LayerNorm"), "embeddings.dropout");
  for (int i = 0; i < 6; ++i) x = distilled_layer(h, x, fmt::format("transformer.layer.{}", i));
  return h.finish(x);
}

}  // namespace ergon::graph::zoo::hf
