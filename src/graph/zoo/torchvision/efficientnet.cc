#include <cmath>
#include <span>

#include <fmt/format.h>

#include "graph/zoo/torchvision/mobile.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct EfficientNetStage {
  double expansion;
  std::int64_t kernel, stride, in, out;
  int repeats;
  bool fused;  // expansion and depthwise convolution fused into one full convolution
};

Tensor fused_block(Layers& t, Tensor x, const EfficientNetStage& stage, std::int64_t out, std::int64_t stride,
                   const std::string& name) {
  const std::int64_t in = t.channels(x);
  const std::int64_t expanded = make_divisible(static_cast<double>(in) * stage.expansion);
  Tensor y = x;
  const std::int64_t padding = (stage.kernel - 1) / 2;
  if (expanded != in) {
    y = conv_norm_act(t, y, {expanded, stage.kernel, stride, padding}, Function::swish, name + ".block.0");
    y = conv_norm_act(t, y, {out}, std::nullopt, name + ".block.1");
  } else {
    y = conv_norm_act(t, y, {out, stage.kernel, stride, padding}, Function::swish, name + ".block.0");
  }
  if (stride != 1 || in != out) return y;
  return t.add(t.stochastic_depth(y, name + ".stochastic_depth"), x);
}

Tensor mobile_block(Layers& t, Tensor x, const EfficientNetStage& stage, std::int64_t out,
                    std::int64_t stride, const std::string& name) {
  const std::int64_t in = t.channels(x);
  InvertedResidual plan{
      stage.kernel, make_divisible(static_cast<double>(in) * stage.expansion), out, stride, Function::swish,
      std::nullopt};
  plan.squeeze = SqueezeExcitation{std::max<std::int64_t>(1, in / 4), Function::swish, Function::sigmoid};
  plan.drops = true;
  return inverted_residual(t, x, plan, name);
}

struct Scale {
  double width = 1, depth = 1;
  std::int64_t last = 0;  // channels before the head; 0: four times those of the last stage
};

Result<Network> build(const std::string& name, std::span<const EfficientNetStage> stages, const Scale& scale,
                      const InputSize& input) {
  const auto widened = [&](std::int64_t channels) {
    return make_divisible(static_cast<double>(channels) * scale.width);
  };
  Layers t(name);
  Tensor x =
      conv_norm_act(t, t.image(input.size), {widened(stages[0].in), 3, 2, 1}, Function::swish, "features.0");
  int index = 1;
  for (const EfficientNetStage& stage : stages) {
    const auto repeats = static_cast<int>(std::ceil(stage.repeats * scale.depth));
    for (int i = 0; i < repeats; ++i) {
      const std::string block = fmt::format("features.{}.{}", index, i);
      const std::int64_t stride = i == 0 ? stage.stride : 1;
      x = stage.fused ? fused_block(t, x, stage, widened(stage.out), stride, block)
                      : mobile_block(t, x, stage, widened(stage.out), stride, block);
    }
    ++index;
  }
  const std::int64_t last = scale.last == 0 ? 4 * t.channels(x) : scale.last;
  x = conv_norm_act(t, x, {last}, Function::swish, fmt::format("features.{}", index));
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  return t.finish(t.linear(t.dropout(x, "classifier.0"), kClasses, "classifier.1"));
}

}  // namespace

Result<Network> efficientnet(const std::string& name, double width, double depth, const InputSize& input) {
  static constexpr EfficientNetStage kStages[] = {{1, 3, 1, 32, 16, 1, false},  {6, 3, 2, 16, 24, 2, false},
                                                  {6, 5, 2, 24, 40, 2, false},  {6, 3, 2, 40, 80, 3, false},
                                                  {6, 5, 1, 80, 112, 3, false}, {6, 5, 2, 112, 192, 4, false},
                                                  {6, 3, 1, 192, 320, 1, false}};
  return build(name, kStages, {width, depth}, input);
}

Result<Network> efficientnet_v2_s(const InputSize& input) {
  static constexpr EfficientNetStage kStages[] = {
      {1, 3, 1, 24, 24, 2, true},   {4, 3, 2, 24, 48, 4, true},    {4, 3, 2, 48, 64, 4, true},
      {4, 3, 2, 64, 128, 6, false}, {6, 3, 1, 128, 160, 9, false}, {6, 3, 2, 160, 256, 15, false}};
  return build("efficientnet_v2_s", kStages, {1, 1, 1280}, input);
}

Result<Network> efficientnet_v2_m(const InputSize& input) {
  static constexpr EfficientNetStage kStages[] = {
      {1, 3, 1, 24, 24, 3, true},   {4, 3, 2, 24, 48, 5, true},     {4, 3, 2, 48, 80, 5, true},
      {4, 3, 2, 80, 160, 7, false}, {6, 3, 1, 160, 176, 14, false}, {6, 3, 2, 176, 304, 18, false},
      {6, 3, 1, 304, 512, 5, false}};
  return build("efficientnet_v2_m", kStages, {1, 1, 1280}, input);
}

Result<Network> efficientnet_v2_l(const InputSize& input) {
  static constexpr EfficientNetStage kStages[] = {
      {1, 3, 1, 32, 32, 4, true},    {4, 3, 2, 32, 64, 7, true},     {4, 3, 2, 64, 96, 7, true},
      {4, 3, 2, 96, 192, 10, false}, {6, 3, 1, 192, 224, 19, false}, {6, 3, 2, 224, 384, 25, false},
      {6, 3, 1, 384, 640, 7, false}};
  return build("efficientnet_v2_l", kStages, {1, 1, 1280}, input);
}

}  // namespace ergon::graph::zoo::torchvision
