#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

constexpr std::int64_t kFilters[] = {64, 128, 256, 512};

Tensor stem(Layers& k, Tensor x, bool normalized) {
  x = k.zero_pad(x, 3, 3, "conv1_pad");
  x = k.conv(x, {64, {7, 7}, 2}, "conv1_conv");
  if (normalized) {
    x = k.batch_norm(x, "conv1_bn");
    x = k.activation(x, Function::relu, "conv1_relu");
  }
  x = k.zero_pad(x, 1, 1, "pool1_pad");
  return k.max_pool(x, {3, 2}, "pool1_pool");
}

// The first 1 x 1 convolution has the stride (He et al. 2015).
Tensor block(Layers& k, Tensor x, std::int64_t filters, std::int64_t stride, bool project,
             const std::string& name) {
  Tensor shortcut = x;
  if (project) {
    shortcut = k.conv(x, {4 * filters, {1, 1}, stride}, name + "_0_conv");
    shortcut = k.batch_norm(shortcut, name + "_0_bn");
  }
  x = k.conv(x, {filters, {1, 1}, stride}, name + "_1_conv");
  x = k.batch_norm(x, name + "_1_bn");
  x = k.activation(x, Function::relu, name + "_1_relu");
  x = k.conv(x, {filters, {3, 3}, 1, Padding::same}, name + "_2_conv");
  x = k.batch_norm(x, name + "_2_bn");
  x = k.activation(x, Function::relu, name + "_2_relu");
  x = k.conv(x, {4 * filters}, name + "_3_conv");
  x = k.batch_norm(x, name + "_3_bn");
  x = k.add(shortcut, x, name + "_add");
  return k.activation(x, Function::relu, name + "_out");
}

// Norm before convolution (He et al. 2016); the last block of a stack has the stride.
Tensor preactivated_block(Layers& k, Tensor x, std::int64_t filters, std::int64_t stride, bool project,
                          const std::string& name) {
  Tensor shortcut = x;
  // Keras lists the pooled shortcut before the norm, which does not read it.
  if (!project && stride > 1) shortcut = k.max_pool(x, {1, stride});
  Tensor pre = k.batch_norm(x, name + "_preact_bn");
  pre = k.activation(pre, Function::relu, name + "_preact_relu");
  if (project) shortcut = k.conv(pre, {4 * filters, {1, 1}, stride}, name + "_0_conv");
  Tensor y = k.conv(pre, {filters, {1, 1}, 1, Padding::valid, false}, name + "_1_conv");
  y = k.batch_norm(y, name + "_1_bn");
  y = k.activation(y, Function::relu, name + "_1_relu");
  y = k.zero_pad(y, 1, 1, name + "_2_pad");
  y = k.conv(y, {filters, {3, 3}, stride, Padding::valid, false}, name + "_2_conv");
  y = k.batch_norm(y, name + "_2_bn");
  y = k.activation(y, Function::relu, name + "_2_relu");
  y = k.conv(y, {4 * filters}, name + "_3_conv");
  return k.add(shortcut, y, name + "_out");
}

}  // namespace

Result<Network> resnet(const std::string& name, std::span<const int> blocks, const InputSize& input) {
  Layers k("keras", name);
  Tensor x = stem(k, k.input(input.size), true);
  for (std::size_t stack = 0; stack < blocks.size(); ++stack) {
    for (int i = 1; i <= blocks[stack]; ++i) {
      const std::int64_t stride = i == 1 && stack > 0 ? 2 : 1;
      x = block(k, x, kFilters[stack], stride, i == 1, fmt::format("conv{}_block{}", stack + 2, i));
    }
  }
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

Result<Network> resnet_v2(const std::string& name, std::span<const int> blocks, const InputSize& input) {
  Layers k("keras", name);
  Tensor x = stem(k, k.input(input.size), false);
  for (std::size_t stack = 0; stack < blocks.size(); ++stack) {
    for (int i = 1; i <= blocks[stack]; ++i) {
      const std::int64_t stride = i == blocks[stack] && stack + 1 < blocks.size() ? 2 : 1;
      x = preactivated_block(k, x, kFilters[stack], stride, i == 1,
                             fmt::format("conv{}_block{}", stack + 2, i));
    }
  }
  x = k.batch_norm(x, "post_bn");
  x = k.activation(x, Function::relu, "post_relu");
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
