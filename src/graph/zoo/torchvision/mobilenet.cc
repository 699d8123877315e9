#include <span>

#include <fmt/format.h>

#include "graph/zoo/mobilenet_tables.h"
#include "graph/zoo/torchvision/mobile.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct Bneck {
  std::int64_t kernel, expanded, out;
  bool squeeze, hard_swish;
  std::int64_t stride;
};

// Howard et al. 2019, Tables 1 and 2.
constexpr Bneck kLarge[] = {
    {3, 16, 16, false, false, 1}, {3, 64, 24, false, false, 2}, {3, 72, 24, false, false, 1},
    {5, 72, 40, true, false, 2},  {5, 120, 40, true, false, 1}, {5, 120, 40, true, false, 1},
    {3, 240, 80, false, true, 2}, {3, 200, 80, false, true, 1}, {3, 184, 80, false, true, 1},
    {3, 184, 80, false, true, 1}, {3, 480, 112, true, true, 1}, {3, 672, 112, true, true, 1},
    {5, 672, 160, true, true, 2}, {5, 960, 160, true, true, 1}, {5, 960, 160, true, true, 1}};
constexpr Bneck kSmall[] = {
    {3, 16, 16, true, false, 2}, {3, 72, 24, false, false, 2}, {3, 88, 24, false, false, 1},
    {5, 96, 40, true, true, 2},  {5, 240, 40, true, true, 1},  {5, 240, 40, true, true, 1},
    {5, 120, 48, true, true, 1}, {5, 144, 48, true, true, 1},  {5, 288, 96, true, true, 2},
    {5, 576, 96, true, true, 1}, {5, 576, 96, true, true, 1}};

Result<Network> mobilenet_v3(const std::string& name, std::span<const Bneck> blocks, std::int64_t last,
                             const InputSize& input) {
  Layers t(name);
  Tensor x = conv_norm_act(t, t.image(input.size), {16, 3, 2, 1}, Function::hard_swish, "features.0");
  int i = 1;
  for (const Bneck& block : blocks) {
    InvertedResidual plan{block.kernel,
                          block.expanded,
                          block.out,
                          block.stride,
                          block.hard_swish ? Function::hard_swish : Function::relu,
                          std::nullopt};
    if (block.squeeze) {
      plan.squeeze = SqueezeExcitation{make_divisible(static_cast<double>(block.expanded) / 4),
                                       Function::relu, Function::hard_sigmoid};
    }
    x = inverted_residual(t, x, plan, fmt::format("features.{}", i++));
  }
  x = conv_norm_act(t, x, {6 * t.channels(x)}, Function::hard_swish, fmt::format("features.{}", i));
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  x = t.act(t.linear(x, last, "classifier.0"), Function::hard_swish, "classifier.1");
  x = t.dropout(x, "classifier.2");
  return t.finish(t.linear(x, kClasses, "classifier.3"));
}

}  // namespace

Result<Network> mobilenet_v3_small(const InputSize& input) {
  return mobilenet_v3("mobilenet_v3_small", kSmall, 1024, input);
}

Result<Network> mobilenet_v3_large(const InputSize& input) {
  return mobilenet_v3("mobilenet_v3_large", kLarge, 1280, input);
}

Result<Network> mobilenet_v2(const InputSize& input) {
  Layers t("mobilenet_v2");
  Tensor x = conv_norm_act(t, t.image(input.size), {32, 3, 2, 1}, Function::relu6, "features.0");
  int block = 1;
  for (const MobileNetStage& stage : kMobileNetV2) {
    for (int i = 0; i < stage.repeats; ++i) {
      const InvertedResidual plan{3,
                                  stage.expansion * t.channels(x),
                                  stage.filters,
                                  i == 0 ? stage.stride : 1,
                                  Function::relu6,
                                  std::nullopt};
      x = inverted_residual(t, x, plan, fmt::format("features.{}", block++));
    }
  }
  x = conv_norm_act(t, x, {1280}, Function::relu6, fmt::format("features.{}", block));
  x = t.flatten(t.pooled(x, 1));
  return t.finish(t.linear(t.dropout(x, "classifier.0"), kClasses, "classifier.1"));
}

Result<Network> mnasnet(const std::string& name, double width, const InputSize& input) {
  struct MnasNetStage {
    std::int64_t kernel, expansion, out;
    int repeats;
    std::int64_t stride;
  };
  static constexpr MnasNetStage kStages[] = {{3, 3, 24, 3, 2}, {5, 3, 40, 3, 2},  {5, 6, 80, 3, 2},
                                             {3, 6, 96, 2, 1}, {5, 6, 192, 4, 2}, {3, 6, 320, 1, 1}};
  const auto widened = [&](std::int64_t channels) {
    return make_divisible(static_cast<double>(channels) * width);
  };
  const std::int64_t stem = widened(32);
  Layers t(name);
  Tensor x = conv_norm_act(t, t.image(input.size), {stem, 3, 2, 1}, Function::relu, "layers.stem");
  x = conv_norm_act(t, x, {stem, 3, 1, 1, stem}, Function::relu, "layers.depthwise");
  x = conv_norm_act(t, x, {widened(16)}, std::nullopt, "layers.pointwise");
  int stack = 8;
  for (const MnasNetStage& stage : kStages) {
    for (int i = 0; i < stage.repeats; ++i) {
      const InvertedResidual plan{stage.kernel,       stage.expansion * t.channels(x),
                                  widened(stage.out), i == 0 ? stage.stride : 1,
                                  Function::relu,     std::nullopt};
      x = inverted_residual(t, x, plan, fmt::format("layers.{}.{}", stack, i));
    }
    ++stack;
  }
  x = conv_norm_act(t, x, {1280}, Function::relu, "layers.head");
  x = t.dropout(t.mean_over_image(x), "classifier.0");
  return t.finish(t.linear(x, kClasses, "classifier.1"));
}

}  // namespace ergon::graph::zoo::torchvision
