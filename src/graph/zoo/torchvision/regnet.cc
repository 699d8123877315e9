// RegNet (Radosavovic et al. 2020): widths grow linearly and are quantized to a few stages.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "graph/zoo/torchvision/mobile.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct RegNetStage {
  std::int64_t width;
  std::int64_t group_width;
  int depth = 0;
};

std::vector<RegNetStage> stages_of(const RegNetPlan& plan) {
  std::vector<RegNetStage> stages;
  for (int block = 0; block < plan.depth; ++block) {
    const double wanted = block * plan.slope + plan.first_width;
    const double step = std::round(std::log(wanted / plan.first_width) / std::log(plan.multiplier));
    const double exact = plan.first_width * std::pow(plan.multiplier, step);
    const auto quantized = static_cast<std::int64_t>(std::nearbyint(exact / 8)) * 8;
    // Widths must be multiples of the group width.
    const std::int64_t group = std::min(plan.group_width, quantized);
    const std::int64_t width = make_divisible(static_cast<double>(quantized), group);
    if (stages.empty() || stages.back().width != width) stages.push_back({width, group});
    ++stages.back().depth;
  }
  return stages;
}

Tensor block(Layers& t, Tensor x, const RegNetStage& stage, std::int64_t stride, double squeeze,
             const std::string& name) {
  const std::int64_t in = t.channels(x);
  const bool project = in != stage.width || stride != 1;
  Tensor shortcut = x;
  if (project) shortcut = conv_norm_act(t, x, {stage.width, 1, stride}, std::nullopt, name + ".proj");
  Tensor y = conv_norm_act(t, x, {stage.width}, Function::relu, name + ".f.a");
  y = conv_norm_act(t, y, {stage.width, 3, stride, 1, stage.width / stage.group_width}, Function::relu,
                    name + ".f.b");
  if (squeeze > 0) {
    const auto channels = static_cast<std::int64_t>(std::nearbyint(squeeze * static_cast<double>(in)));
    y = squeeze_excitation(t, y, {channels, Function::relu, Function::sigmoid}, name + ".f.se");
  }
  y = conv_norm_act(t, y, {stage.width}, std::nullopt, name + ".f.c");
  return t.act(t.add(shortcut, y), Function::relu, name + ".activation");
}

}  // namespace

Result<Network> regnet(const RegNetPlan& plan, const InputSize& input) {
  Layers t(plan.name);
  Tensor x = conv_norm_act(t, t.image(input.size), {32, 3, 2, 1}, Function::relu, "stem");
  int number = 1;
  for (const RegNetStage& stage : stages_of(plan)) {
    for (int i = 0; i < stage.depth; ++i) {
      const std::string name = fmt::format("trunk_output.block{}.block{}-{}", number, number, i);
      x = block(t, x, stage, i == 0 ? 2 : 1, plan.squeeze, name);
    }
    ++number;
  }
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  return t.finish(t.linear(x, kClasses, "fc"));
}

}  // namespace ergon::graph::zoo::torchvision
