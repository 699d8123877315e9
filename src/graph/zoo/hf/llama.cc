#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/hf/layers.h"
#include "graph/zoo/hf/networks.h"

namespace ergon::graph::zoo::hf {
namespace {

constexpr std::int64_t kLlamaVocabulary = 128256;
constexpr std::int64_t kLlamaWidth = 2048;
constexpr std::int64_t kLlamaHeads = 32;
constexpr std::int64_t kSharedHeads = 8;  // of keys and values
constexpr std::int64_t kHeadWidth = kLlamaWidth / kLlamaHeads;
constexpr std::int64_t kInner = 8192;

Tensor rms_norm(Layers& h, Tensor x, const std::string& name) {
  return h.build().add(name, "LlamaRMSNorm", LayerNorm{1, true, false}, {x});
}

// Rotary position embedding: x cos + rotated(x) sin.
Tensor rotate(Builder& b, Tensor x) {
  const Operation by_constant = Arithmetic{Combine::multiply, std::nullopt, true};
  Shape half = b.shape(x);
  half[3] = {kHeadWidth / 2};
  const Tensor front = b.put(Slice{half, {3}, {0}, {kHeadWidth / 2}, {1}}, {x});
  const Tensor back = b.put(Slice{half, {3}, {kHeadWidth / 2}, {kHeadWidth}, {1}}, {x});
  const Tensor rotated = b.put(Concat{3}, {b.put(Elementwise{Function::negative}, {back}), front});
  return b.put(Arithmetic{Combine::add}, {b.put(by_constant, {x}), b.put(by_constant, {rotated})});
}

// Grouped-query attention: four query heads share a key and value head.
Tensor repeated(Builder& b, Tensor x) {
  const Shape s = b.shape(x);
  constexpr std::int64_t kTimes = kLlamaHeads / kSharedHeads;
  x = b.put(Reshape{Shape{s[0], s[1], {1}, s[2], s[3]}}, {x});
  x = b.put(Expand{Shape{s[0], s[1], {kTimes}, s[2], s[3]}}, {x});
  return b.put(Reshape{Shape{s[0], {kLlamaHeads}, s[2], s[3]}}, {x});
}

Tensor attention(Layers& h, Tensor q, Tensor k, Tensor v, const std::string& name) {
  Builder& b = h.build();
  if (b.failed()) return q;
  b.open(name, "scaled_dot_product_attention");
  q = rotate(b, split_heads(b, q, kLlamaHeads));
  k = repeated(b, rotate(b, split_heads(b, k, kSharedHeads)));
  v = repeated(b, split_heads(b, v, kSharedHeads));
  return merge_heads(b, attend(b, q, k, v, {true, true, std::nullopt}));
}

Tensor decoder_layer(Layers& h, Tensor x, const std::string& name) {
  Tensor y = rms_norm(h, x, name + ".input_layernorm");
  const Tensor q = h.linear(y, kLlamaWidth, name + ".self_attn.q_proj", false);
  const Tensor k = h.linear(y, kSharedHeads * kHeadWidth, name + ".self_attn.k_proj", false);
  const Tensor v = h.linear(y, kSharedHeads * kHeadWidth, name + ".self_attn.v_proj", false);
  y = h.linear(attention(h, q, k, v, name + ".self_attn"), kLlamaWidth, name + ".self_attn.o_proj", false);
  x = h.add(x, y);
  y = rms_norm(h, x, name + ".post_attention_layernorm");
  const Tensor gate = h.act(h.linear(y, kInner, name + ".mlp.gate_proj", false), Function::swish, "SiLU",
                            name + ".mlp.act_fn");
  const Tensor up = h.linear(y, kInner, name + ".mlp.up_proj", false);
  y = h.build().add(h.build().numbered("mul"), "mul", Arithmetic{Combine::multiply}, {gate, up});
  return h.add(x, h.linear(y, kLlamaWidth, name + ".mlp.down_proj", false));
}

}  // namespace

Result<Network> llama_1b_like(const InputSize& input) {
  Layers h("llama_1b_like", input.sequence, 131072);
  Tensor x = h.embedding(h.tokens("input_ids"), kLlamaVocabulary, kLlamaWidth, "model.embed_tokens");
  for (int i = 0; i < 16; ++i) x = decoder_layer(h, x, fmt::format("model.layers.{}", i));
  x = rms_norm(h, x, "model.norm");
  x = h.linear(x, kLlamaVocabulary, "lm_head", false);
  Builder& b = h.build();
  // The head shares the embedding's table.
  if (!b.failed()) b.network().nodes.back().weights[0].shared = true;
  return h.finish(x);
}

}  // namespace ergon::graph::zoo::hf
