#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

constexpr std::int64_t kWidth = 768;
constexpr std::int64_t kHeads = 12;

Tensor self_attention(Layers& t, Tensor x, const std::string& name) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(name, "MultiheadAttention");
  const auto parts = b.put_split(b.put(Dense{3 * kWidth, true}, {x}), 2, {kWidth, kWidth, kWidth});
  const Tensor q = split_heads(b, parts[0], kHeads);
  const Tensor k = split_heads(b, parts[1], kHeads);
  const Tensor v = split_heads(b, parts[2], kHeads);
  return b.put(Dense{kWidth, true}, {merge_heads(b, attend(b, q, k, v, {}))});
}

Tensor encoder_layer(Layers& t, Tensor x, const std::string& name) {
  Tensor y = self_attention(t, t.layer_norm(x, name + ".ln_1"), name + ".self_attention");
  x = t.add(t.dropout(y, name + ".dropout"), x);
  y = t.layer_norm(x, name + ".ln_2");
  y = t.act(t.linear(y, 4 * kWidth, name + ".mlp.0"), Function::gelu, name + ".mlp.1");
  y = t.linear(t.dropout(y, name + ".mlp.2"), kWidth, name + ".mlp.3");
  return t.add(x, t.dropout(y, name + ".mlp.4"));
}

}  // namespace

Result<Network> vit_b(const std::string& name, std::int64_t patch, const Choice& choice) {
  Layers t(name);
  Builder& b = t.build();
  if (choice.size % patch != 0) {
    return fail(Errc::invalid_input, "{}: an image of {} does not divide into patches of {}", name,
                choice.size, patch);
  }
  Tensor x = t.conv(t.image(choice.size), {kWidth, patch, patch, 0, 1, true}, "conv_proj");
  const std::int64_t side = choice.size / patch;
  x = b.add("reshape", "reshape", Reshape{Shape{Dim::batch(), {kWidth}, {side * side}}}, {x});
  x = t.permute(x, {0, 2, 1});
  const Tensor token = b.add("class_token", "expand",
                             Parameter{Shape{{1}, {1}, {kWidth}}, Shape{Dim::batch(), {1}, {kWidth}}}, {});
  x = t.cat({token, x});
  x = b.add("encoder.pos_embedding", "add", Arithmetic{Combine::add, Shape{{1}, {side * side + 1}, {kWidth}}},
            {x});
  x = t.dropout(x, "encoder.dropout");
  for (int i = 0; i < 12; ++i) x = encoder_layer(t, x, fmt::format("encoder.layers.encoder_layer_{}", i));
  x = t.layer_norm(x, "encoder.ln");
  x = b.add("select", "select", Gather{Shape{Dim::batch(), {kWidth}}}, {x});
  return t.finish(t.linear(x, kClasses, "heads.head"));
}

}  // namespace ergon::graph::zoo::torchvision
