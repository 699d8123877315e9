#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/hf/layers.h"
#include "graph/zoo/hf/networks.h"

namespace ergon::graph::zoo::hf {
namespace {

constexpr std::int64_t kGpt2Width = 768;
constexpr std::int64_t kGpt2Heads = 12;

// transformers' Conv1D: a dense layer with a transposed weight matrix.
Tensor conv1d(Layers& h, Tensor x, std::int64_t out, const std::string& name) {
  return h.linear(x, out, name, true, "Conv1D");
}

Tensor causal_attention(Layers& h, Tensor qkv, const std::string& name) {
  Builder& b = h.build();
  if (b.failed()) return qkv;
  b.open(name, "scaled_dot_product_attention");
  const auto parts = b.put_split(qkv, 2, {kGpt2Width, kGpt2Width, kGpt2Width});
  const Tensor heads = attend(b, split_heads(b, parts[0], kGpt2Heads), split_heads(b, parts[1], kGpt2Heads),
                              split_heads(b, parts[2], kGpt2Heads), {true, true, std::nullopt});
  return merge_heads(b, heads);
}

Tensor block(Layers& h, Tensor x, const std::string& name) {
  Tensor y = conv1d(h, h.layer_norm(x, name + ".ln_1"), 3 * kGpt2Width, name + ".attn.c_attn");
  y = conv1d(h, causal_attention(h, y, name + ".attn"), kGpt2Width, name + ".attn.c_proj");
  x = h.add(h.dropout(y, name + ".attn.resid_dropout"), x);
  y = conv1d(h, h.layer_norm(x, name + ".ln_2"), 4 * kGpt2Width, name + ".mlp.c_fc");
  y = h.act(y, Function::gelu, "NewGELUActivation", name + ".mlp.act");
  y = conv1d(h, y, kGpt2Width, name + ".mlp.c_proj");
  return h.add(x, h.dropout(y, name + ".mlp.dropout"));
}

}  // namespace

Result<Network> gpt2(const InputSize& input) {
  constexpr std::int64_t kGpt2Positions = 1024;
  Layers h("gpt2", input.sequence, kGpt2Positions);
  Tensor x = h.embedding(h.tokens("input_ids"), 50257, kGpt2Width, "wte");
  x = h.dropout(h.add(x, h.positions(kGpt2Positions, kGpt2Width, "wpe")), "drop");
  for (int i = 0; i < 12; ++i) x = block(h, x, fmt::format("h.{}", i));
  return h.finish(h.layer_norm(x, "ln_f"));
}

}  // namespace ergon::graph::zoo::hf
