#include <fmt/format.h>

#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

// Layer norm over channels: permute to channels-last, normalize, permute back.
Tensor layer_norm_2d(Layers& t, Tensor x, const std::string& name) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(name, "LayerNorm2d");
  Tensor y = b.put(Transpose{{0, 2, 3, 1}}, {x});
  y = b.put(LayerNorm{}, {y});
  return b.put(Transpose{{0, 3, 1, 2}}, {y});
}

Tensor block(Layers& t, Tensor x, const std::string& name) {
  const std::int64_t width = t.channels(x);
  Tensor y = t.conv(x, {width, 7, 1, 3, width, true}, name + ".block.0");
  y = t.layer_norm(t.permute(y, {0, 2, 3, 1}), name + ".block.2");
  y = t.act(t.linear(y, 4 * width, name + ".block.3"), Function::gelu, name + ".block.4");
  y = t.permute(t.linear(y, width, name + ".block.5"), {0, 3, 1, 2});
  y = t.build().add(name + ".layer_scale", "mul", Arithmetic{Combine::multiply, Shape{{width}, {1}, {1}}},
                    {y});
  return t.add(t.stochastic_depth(y, name + ".stochastic_depth"), x);
}

}  // namespace

Result<Network> convnext(const ConvNeXtPlan& plan, const InputSize& input) {
  Layers t(plan.name);
  Tensor x = t.conv(t.image(input.size), {plan.width, 4, 4, 0, 1, true}, "features.0.0");
  x = layer_norm_2d(t, x, "features.0.1");
  int index = 1;
  for (const int depth : plan.depths) {
    if (index > 1) {
      x = layer_norm_2d(t, x, fmt::format("features.{}.0", index));
      x = t.conv(x, {2 * t.channels(x), 2, 2, 0, 1, true}, fmt::format("features.{}.1", index));
      ++index;
    }
    for (int i = 0; i < depth; ++i) x = block(t, x, fmt::format("features.{}.{}", index, i));
    ++index;
  }
  x = t.adaptive_average_pool(x, 1, "avgpool");
  x = t.flatten(layer_norm_2d(t, x, "classifier.0"));
  return t.finish(t.linear(x, kClasses, "classifier.2"));
}

}  // namespace ergon::graph::zoo::torchvision
