#include <fmt/format.h>

#include "graph/zoo/keras/inception.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

// Concatenates the branches, projects to the block's channels, scales and adds.
Tensor residual(Layers& k, Tensor x, std::vector<Tensor> branches, const std::string& name,
                bool activated = true) {
  Tensor y = k.concat(std::move(branches), name + "_mixed");
  y = k.conv(y, {k.channels(x), {1, 1}, 1, Padding::same, true}, name + "_conv");
  x = k.scaled_residual(x, y, name);
  return activated ? k.activation(x, Function::relu, name + "_ac") : x;
}

Tensor block35(Layers& k, Tensor x, int i) {
  const Tensor a = unit(k, x, 32, {1, 1});
  Tensor b = unit(k, x, 32, {1, 1});
  b = unit(k, b, 32, {3, 3});
  Tensor c = unit(k, x, 32, {1, 1});
  c = unit(k, c, 48, {3, 3});
  c = unit(k, c, 64, {3, 3});
  return residual(k, x, {a, b, c}, fmt::format("block35_{}", i));
}

Tensor block17(Layers& k, Tensor x, int i) {
  const Tensor a = unit(k, x, 192, {1, 1});
  Tensor b = unit(k, x, 128, {1, 1});
  b = unit(k, b, 160, {1, 7});
  b = unit(k, b, 192, {7, 1});
  return residual(k, x, {a, b}, fmt::format("block17_{}", i));
}

Tensor block8(Layers& k, Tensor x, int i) {
  const Tensor a = unit(k, x, 192, {1, 1});
  Tensor b = unit(k, x, 192, {1, 1});
  b = unit(k, b, 224, {1, 3});
  b = unit(k, b, 256, {3, 1});
  return residual(k, x, {a, b}, fmt::format("block8_{}", i), i < 10);
}

Tensor mixed_5b(Layers& k, Tensor x) {
  const Tensor a = unit(k, x, 96, {1, 1});
  Tensor b = unit(k, x, 48, {1, 1});
  b = unit(k, b, 64, {5, 5});
  Tensor c = unit(k, x, 64, {1, 1});
  c = unit(k, c, 96, {3, 3});
  c = unit(k, c, 96, {3, 3});
  const Tensor d = unit(k, k.average_pool(x, {3, 1, Padding::same}), 64, {1, 1});
  return k.concat({a, b, c, d}, "mixed_5b");
}

Tensor mixed_6a(Layers& k, Tensor x) {
  const Tensor a = unit(k, x, 384, {3, 3}, 2, Padding::valid);
  Tensor b = unit(k, x, 256, {1, 1});
  b = unit(k, b, 256, {3, 3});
  b = unit(k, b, 384, {3, 3}, 2, Padding::valid);
  return k.concat({a, b, k.max_pool(x, {3, 2})}, "mixed_6a");
}

Tensor mixed_7a(Layers& k, Tensor x) {
  Tensor a = unit(k, x, 256, {1, 1});
  a = unit(k, a, 384, {3, 3}, 2, Padding::valid);
  Tensor b = unit(k, x, 256, {1, 1});
  b = unit(k, b, 288, {3, 3}, 2, Padding::valid);
  Tensor c = unit(k, x, 256, {1, 1});
  c = unit(k, c, 288, {3, 3});
  c = unit(k, c, 320, {3, 3}, 2, Padding::valid);
  return k.concat({a, b, c, k.max_pool(x, {3, 2})}, "mixed_7a");
}

}  // namespace

Result<Network> inception_resnet_v2(const InputSize& input) {
  Layers k("keras", "inceptionresnetv2");
  Tensor x = inception_stem(k, k.input(input.size));
  x = mixed_5b(k, x);
  for (int i = 1; i <= 10; ++i) x = block35(k, x, i);
  x = mixed_6a(k, x);
  for (int i = 1; i <= 20; ++i) x = block17(k, x, i);
  x = mixed_7a(k, x);
  for (int i = 1; i <= 10; ++i) x = block8(k, x, i);
  x = k.conv(x, {1536, {1, 1}, 1, Padding::same, false}, "conv_7b");
  x = k.batch_norm(x, "conv_7b_bn", false);
  x = k.activation(x, Function::relu, "conv_7b_ac");
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
