#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

Tensor separable(Layers& k, Tensor x, std::int64_t filters, const std::string& name) {
  x = k.separable(x, {filters, {3, 3}, 1, Padding::same, false}, name);
  return k.batch_norm(x, name + "_bn");
}

Tensor activated_separable(Layers& k, Tensor x, std::int64_t filters, const std::string& name) {
  return separable(k, k.activation(x, Function::relu, name + "_act"), filters, name);
}

// Two separable convolutions and a pooling, in parallel to a strided projection. Halves the image.
Tensor shrinking_block(Layers& k, Tensor x, std::int64_t first, std::int64_t second, int block) {
  const std::string name = fmt::format("block{}_", block);
  Tensor y = block == 2 ? separable(k, x, first, name + "sepconv1")
                        : activated_separable(k, x, first, name + "sepconv1");
  y = activated_separable(k, y, second, name + "sepconv2");
  y = k.max_pool(y, {3, 2, Padding::same}, name + "pool");
  Tensor shortcut = k.conv(x, {second, {1, 1}, 2, Padding::same, false});
  shortcut = k.batch_norm(shortcut);
  return k.add(y, shortcut);
}

Tensor middle_block(Layers& k, Tensor x, int block) {
  Tensor y = x;
  for (int i = 1; i <= 3; ++i) y = activated_separable(k, y, 728, fmt::format("block{}_sepconv{}", block, i));
  return k.add(y, x);
}

}  // namespace

Result<Network> xception(const InputSize& input) {
  Layers k("keras", "xception");
  Tensor x = k.input(input.size);
  x = k.conv(x, {32, {3, 3}, 2, Padding::valid, false}, "block1_conv1");
  x = k.batch_norm(x, "block1_conv1_bn");
  x = k.activation(x, Function::relu, "block1_conv1_act");
  x = k.conv(x, {64, {3, 3}, 1, Padding::valid, false}, "block1_conv2");
  x = k.batch_norm(x, "block1_conv2_bn");
  x = k.activation(x, Function::relu, "block1_conv2_act");
  x = shrinking_block(k, x, 128, 128, 2);
  x = shrinking_block(k, x, 256, 256, 3);
  x = shrinking_block(k, x, 728, 728, 4);
  for (int block = 5; block <= 12; ++block) x = middle_block(k, x, block);
  x = shrinking_block(k, x, 728, 1024, 13);
  x = separable(k, x, 1536, "block14_sepconv1");
  x = k.activation(x, Function::relu, "block14_sepconv1_act");
  x = separable(k, x, 2048, "block14_sepconv2");
  x = k.activation(x, Function::relu, "block14_sepconv2_act");
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
