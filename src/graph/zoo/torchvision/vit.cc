#include <fmt/format.h>

#include "graph/zoo/attention.h"
#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

Tensor self_attention(Layers& t, Tensor x, const VitPlan& plan, const std::string& name) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(name, "MultiheadAttention");
  const std::int64_t width = plan.width;
  const auto parts = b.put_split(b.put(Dense{3 * width, true}, {x}), 2, {width, width, width});
  const Tensor q = split_heads(b, parts[0], plan.heads);
  const Tensor k = split_heads(b, parts[1], plan.heads);
  const Tensor v = split_heads(b, parts[2], plan.heads);
  return b.put(Dense{width, true}, {merge_heads(b, attend(b, q, k, v, {}))});
}

Tensor encoder_layer(Layers& t, Tensor x, const VitPlan& plan, const std::string& name) {
  Tensor y = self_attention(t, t.layer_norm(x, name + ".ln_1"), plan, name + ".self_attention");
  x = t.add(t.dropout(y, name + ".dropout"), x);
  y = t.layer_norm(x, name + ".ln_2");
  y = t.act(t.linear(y, 4 * plan.width, name + ".mlp.0"), Function::gelu, name + ".mlp.1");
  y = t.linear(t.dropout(y, name + ".mlp.2"), plan.width, name + ".mlp.3");
  return t.add(x, t.dropout(y, name + ".mlp.4"));
}

}  // namespace

Result<Network> vit(const VitPlan& plan, const InputSize& input) {
  const auto& [name, patch, width, heads, layers] = plan;
  Layers t(name);
  Builder& b = t.build();
  if (input.size % patch != 0) {
    return fail(Errc::invalid_input, "{}: image size {} is not a multiple of the patch size {}", name,
                input.size, patch);
  }
  Tensor x = t.conv(t.image(input.size), {width, patch, patch, 0, 1, true}, "conv_proj");
  const std::int64_t side = input.size / patch;
  x = b.add("reshape", "reshape", Reshape{Shape{Dim::batch(), {width}, {side * side}}}, {x});
  x = t.permute(x, {0, 2, 1});
  const Tensor token = b.add("class_token", "expand",
                             Parameter{Shape{{1}, {1}, {width}}, Shape{Dim::batch(), {1}, {width}}}, {});
  x = t.cat({token, x});
  x = b.add("encoder.pos_embedding", "add", Arithmetic{Combine::add, Shape{{1}, {side * side + 1}, {width}}},
            {x});
  x = t.dropout(x, "encoder.dropout");
  for (int i = 0; i < layers; ++i)
    x = encoder_layer(t, x, plan, fmt::format("encoder.layers.encoder_layer_{}", i));
  x = t.layer_norm(x, "encoder.ln");
  x = b.add("select", "select", Gather{Shape{Dim::batch(), {width}}}, {x});
  return t.finish(t.linear(x, kClasses, "heads.head"));
}

}  // namespace ergon::graph::zoo::torchvision
