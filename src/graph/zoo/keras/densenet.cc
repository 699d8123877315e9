#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

constexpr std::int64_t kGrowth = 32;

Tensor dense_layer(Layers& k, Tensor x, const std::string& name) {
  Tensor y = k.batch_norm(x, name + "_0_bn");
  y = k.activation(y, Function::relu, name + "_0_relu");
  y = k.conv(y, {4 * kGrowth, {1, 1}, 1, Padding::valid, false}, name + "_1_conv");
  y = k.batch_norm(y, name + "_1_bn");
  y = k.activation(y, Function::relu, name + "_1_relu");
  y = k.conv(y, {kGrowth, {3, 3}, 1, Padding::same, false}, name + "_2_conv");
  return k.concat({x, y}, name + "_concat");
}

Tensor transition(Layers& k, Tensor x, const std::string& name) {
  x = k.batch_norm(x, name + "_bn");
  x = k.activation(x, Function::relu, name + "_relu");
  x = k.conv(x, {k.channels(x) / 2, {1, 1}, 1, Padding::valid, false}, name + "_conv");
  return k.average_pool(x, {2, 2}, name + "_pool");
}

}  // namespace

Result<Network> densenet(const std::string& name, std::span<const int> blocks, const InputSize& input) {
  Layers k("keras", name);
  Tensor x = k.input(input.size);
  x = k.zero_pad(x, 3, 3);
  x = k.conv(x, {64, {7, 7}, 2, Padding::valid, false}, "conv1/conv");
  x = k.batch_norm(x, "conv1/bn");
  x = k.activation(x, Function::relu, "conv1/relu");
  x = k.zero_pad(x, 1, 1);
  x = k.max_pool(x, {3, 2}, "pool1");
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (int i = 1; i <= blocks[block]; ++i)
      x = dense_layer(k, x, fmt::format("conv{}_block{}", block + 2, i));
    if (block + 1 < blocks.size()) x = transition(k, x, fmt::format("pool{}", block + 2));
  }
  x = k.batch_norm(x, "bn");
  x = k.activation(x, Function::relu, "relu");
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
