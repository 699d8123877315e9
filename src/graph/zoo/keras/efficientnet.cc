#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

struct EfficientNetB0Stage {
  std::int64_t kernel;
  int repeats;
  std::int64_t in, out, expansion, stride;
};

constexpr EfficientNetB0Stage kStages[] = {
    {3, 1, 32, 16, 1, 1},  {3, 2, 16, 24, 6, 2},   {5, 2, 24, 40, 6, 2},  {3, 3, 40, 80, 6, 2},
    {5, 3, 80, 112, 6, 1}, {5, 4, 112, 192, 6, 2}, {3, 1, 192, 320, 6, 1}};

// Rounds channels to a multiple of 8, and never down by more than 10 %.
std::int64_t scaled_filters(std::int64_t filters, double width) {
  const double wanted = static_cast<double>(filters) * width;
  auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(wanted + 4) / 8 * 8);
  if (static_cast<double>(rounded) < 0.9 * wanted) rounded += 8;
  return rounded;
}

int scaled_repeats(int repeats, double depth) { return static_cast<int>(std::ceil(depth * repeats)); }

Tensor squeeze_and_excite(Layers& k, Tensor x, std::int64_t squeezed, const std::string& name) {
  Tensor gate = k.global_average_pool(x, name + "se_squeeze");
  gate = k.to_image(gate, name + "se_reshape");
  gate = k.conv(gate, {squeezed, {1, 1}, 1, Padding::same, true, Function::swish}, name + "se_reduce");
  gate = k.conv(gate, {k.channels(x), {1, 1}, 1, Padding::same, true, Function::sigmoid}, name + "se_expand");
  return k.multiply(x, gate, name + "se_excite");
}

struct BlockPlan {
  std::int64_t kernel, in, out, expansion, stride;
  bool drops;  // stochastic depth in training
};

Tensor block(Layers& k, Tensor x, const BlockPlan& plan, const std::string& name) {
  Tensor y = x;
  if (plan.expansion != 1) {
    y = k.conv(y, {plan.in * plan.expansion, {1, 1}, 1, Padding::same, false}, name + "expand_conv");
    y = k.batch_norm(y, name + "expand_bn");
    y = k.activation(y, Function::swish, name + "expand_activation");
  }
  if (plan.stride > 1) y = k.pad_for_stride(y, plan.kernel, name + "dwconv_pad");
  const Padding padding = plan.stride > 1 ? Padding::valid : Padding::same;
  y = k.depthwise(y, {0, {plan.kernel, plan.kernel}, plan.stride, padding, false}, name + "dwconv");
  y = k.batch_norm(y, name + "bn");
  y = k.activation(y, Function::swish, name + "activation");
  y = squeeze_and_excite(k, y, std::max<std::int64_t>(1, plan.in / 4), name);
  y = k.conv(y, {plan.out, {1, 1}, 1, Padding::same, false}, name + "project_conv");
  y = k.batch_norm(y, name + "project_bn");
  if (plan.stride != 1 || plan.in != plan.out) return y;
  if (plan.drops) y = k.dropout(y, name + "drop");
  return k.add(y, x, name + "add");
}

}  // namespace

Result<Network> efficientnet(const std::string& name, EfficientNetScale scale, const InputSize& input) {
  Layers k("keras", name);
  Tensor x = k.input(input.size);
  x = k.build().add("rescaling", "Rescaling", Arithmetic{Combine::multiply, std::nullopt, true}, {x});
  x = k.build().add("normalization", "Normalization", Normalization{}, {x});
  x = k.pad_for_stride(x, 3, "stem_conv_pad");
  x = k.conv(x, {scaled_filters(32, scale.width), {3, 3}, 2, Padding::valid, false}, "stem_conv");
  x = k.batch_norm(x, "stem_bn");
  x = k.activation(x, Function::swish, "stem_activation");
  int done = 0;
  for (std::size_t stage = 0; stage < std::size(kStages); ++stage) {
    const EfficientNetB0Stage& plan = kStages[stage];
    const int repeats = scaled_repeats(plan.repeats, scale.depth);
    const std::int64_t out = scaled_filters(plan.out, scale.width);
    for (int i = 0; i < repeats; ++i, ++done) {
      const std::int64_t in = i == 0 ? scaled_filters(plan.in, scale.width) : out;
      x = block(k, x, {plan.kernel, in, out, plan.expansion, i == 0 ? plan.stride : 1, done > 0},
                fmt::format("block{}{}_", stage + 1, static_cast<char>('a' + i)));
    }
  }
  x = k.conv(x, {scaled_filters(1280, scale.width), {1, 1}, 1, Padding::same, false}, "top_conv");
  x = k.batch_norm(x, "top_bn");
  x = k.activation(x, Function::swish, "top_activation");
  x = k.global_average_pool(x, "avg_pool");
  x = k.dropout(x, "top_dropout");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
