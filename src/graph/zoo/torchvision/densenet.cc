#include <fmt/format.h>

#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

Tensor dense_layer(Layers& t, Tensor x, std::int64_t growth, const std::string& name) {
  x = t.act(t.batch_norm(x, name + ".norm1"), Function::relu, name + ".relu1");
  x = t.conv(x, {4 * growth}, name + ".conv1");
  x = t.act(t.batch_norm(x, name + ".norm2"), Function::relu, name + ".relu2");
  return t.conv(x, {growth, 3, 1, 1}, name + ".conv2");
}

// Every layer reads the concatenation of all earlier outputs of the block.
Tensor dense_block(Layers& t, Tensor x, int layers, std::int64_t growth, const std::string& name) {
  std::vector<Tensor> features{x};
  for (int i = 1; i <= layers; ++i) {
    const Tensor joined = i == 1 ? x : t.cat(features);
    features.push_back(dense_layer(t, joined, growth, fmt::format("{}.denselayer{}", name, i)));
  }
  return t.cat(features);
}

}  // namespace

Result<Network> densenet(const DenseNetPlan& plan, const InputSize& input) {
  Layers t(plan.name);
  Tensor x = t.conv(t.image(input.size), {plan.first_width, 7, 2, 3}, "features.conv0");
  x = t.act(t.batch_norm(x, "features.norm0"), Function::relu, "features.relu0");
  x = t.max_pool(x, Window::square(3, 2, 1), "features.pool0");
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    x = dense_block(t, x, plan.blocks[i], plan.growth, fmt::format("features.denseblock{}", i + 1));
    if (i + 1 == plan.blocks.size()) break;
    const std::string transition = fmt::format("features.transition{}", i + 1);
    x = t.act(t.batch_norm(x, transition + ".norm"), Function::relu, transition + ".relu");
    x = t.conv(x, {t.channels(x) / 2}, transition + ".conv");
    x = t.average_pool(x, Window::square(2, 2), transition + ".pool");
  }
  x = t.relu(t.batch_norm(x, "features.norm5"));
  x = t.flatten(t.pooled(x, 1));
  return t.finish(t.linear(x, kClasses, "classifier"));
}

}  // namespace ergon::graph::zoo::torchvision
