#include <fmt/format.h>

#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct ResNetBlock {
  std::int64_t planes, stride;
  bool project;
  std::string name;
};

Tensor shortcut(Layers& t, Tensor x, std::int64_t channels, const ResNetBlock& block) {
  if (!block.project) return x;
  x = t.conv(x, {channels, 1, block.stride}, block.name + ".downsample.0");
  return t.batch_norm(x, block.name + ".downsample.1");
}

Tensor basic_block(Layers& t, Tensor x, const ResNetBlock& block) {
  Tensor y = t.conv(x, {block.planes, 3, block.stride, 1}, block.name + ".conv1");
  y = t.act(t.batch_norm(y, block.name + ".bn1"), Function::relu, block.name + ".relu");
  y = t.conv(y, {block.planes, 3, 1, 1}, block.name + ".conv2");
  y = t.batch_norm(y, block.name + ".bn2");
  y = t.add(y, shortcut(t, x, block.planes, block));
  return t.act(y, Function::relu, block.name + ".relu");
}

// The 3 x 3 convolution has the stride ("v1.5").
Tensor bottleneck(Layers& t, Tensor x, const ResNetBlock& block, const ResNetPlan& plan) {
  const std::int64_t width = block.planes * plan.width_per_group / 64 * plan.groups;
  Tensor y = t.conv(x, {width}, block.name + ".conv1");
  y = t.act(t.batch_norm(y, block.name + ".bn1"), Function::relu, block.name + ".relu");
  y = t.conv(y, {width, 3, block.stride, 1, plan.groups}, block.name + ".conv2");
  y = t.act(t.batch_norm(y, block.name + ".bn2"), Function::relu, block.name + ".relu");
  y = t.conv(y, {4 * block.planes}, block.name + ".conv3");
  y = t.batch_norm(y, block.name + ".bn3");
  y = t.add(y, shortcut(t, x, 4 * block.planes, block));
  return t.act(y, Function::relu, block.name + ".relu");
}

}  // namespace

Result<Network> resnet(const ResNetPlan& plan, const InputSize& input) {
  Layers t(plan.name);
  Tensor x = t.conv(t.image(input.size), {64, 7, 2, 3}, "conv1");
  x = t.act(t.batch_norm(x, "bn1"), Function::relu, "relu");
  x = t.max_pool(x, Window::square(3, 2, 1), "maxpool");
  for (std::size_t stage = 0; stage < plan.blocks.size(); ++stage) {
    const std::int64_t planes = std::int64_t{64} << stage;
    for (int i = 0; i < plan.blocks[stage]; ++i) {
      const std::int64_t stride = i == 0 && stage > 0 ? 2 : 1;
      const std::int64_t out = plan.bottleneck ? 4 * planes : planes;
      const ResNetBlock block{planes, stride, stride > 1 || t.channels(x) != out,
                              fmt::format("layer{}.{}", stage + 1, i)};
      x = plan.bottleneck ? bottleneck(t, x, block, plan) : basic_block(t, x, block);
    }
  }
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  return t.finish(t.linear(x, kClasses, "fc"));
}

}  // namespace ergon::graph::zoo::torchvision
