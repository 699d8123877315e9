#include "graph/zoo/keras/inception.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

Tensor pooled(Layers& k, Tensor x, std::int64_t filters) {
  return unit(k, k.average_pool(x, {3, 1, Padding::same}), filters, {1, 1});
}

Tensor mixed_35(Layers& k, Tensor x, std::int64_t pool_filters, const char* name) {
  const Tensor a = unit(k, x, 64, {1, 1});
  Tensor b = unit(k, x, 48, {1, 1});
  b = unit(k, b, 64, {5, 5});
  Tensor c = unit(k, x, 64, {1, 1});
  c = unit(k, c, 96, {3, 3});
  c = unit(k, c, 96, {3, 3});
  return k.concat({a, b, c, pooled(k, x, pool_filters)}, name);
}

Tensor reduce_to_17(Layers& k, Tensor x) {
  const Tensor a = unit(k, x, 384, {3, 3}, 2, Padding::valid);
  Tensor b = unit(k, x, 64, {1, 1});
  b = unit(k, b, 96, {3, 3});
  b = unit(k, b, 96, {3, 3}, 2, Padding::valid);
  return k.concat({a, b, k.max_pool(x, {3, 2})}, "mixed3");
}

Tensor mixed_17(Layers& k, Tensor x, std::int64_t width, const char* name) {
  const Tensor a = unit(k, x, 192, {1, 1});
  Tensor b = unit(k, x, width, {1, 1});
  b = unit(k, b, width, {1, 7});
  b = unit(k, b, 192, {7, 1});
  Tensor c = unit(k, x, width, {1, 1});
  c = unit(k, c, width, {7, 1});
  c = unit(k, c, width, {1, 7});
  c = unit(k, c, width, {7, 1});
  c = unit(k, c, 192, {1, 7});
  return k.concat({a, b, c, pooled(k, x, 192)}, name);
}

Tensor reduce_to_8(Layers& k, Tensor x) {
  Tensor a = unit(k, x, 192, {1, 1});
  a = unit(k, a, 320, {3, 3}, 2, Padding::valid);
  Tensor b = unit(k, x, 192, {1, 1});
  b = unit(k, b, 192, {1, 7});
  b = unit(k, b, 192, {7, 1});
  b = unit(k, b, 192, {3, 3}, 2, Padding::valid);
  return k.concat({a, b, k.max_pool(x, {3, 2})}, "mixed8");
}

// Parallel 1 x 3 and 3 x 1 convolutions of the same input, concatenated.
Tensor fork(Layers& k, Tensor x, const std::string& name) {
  const Tensor wide = unit(k, x, 384, {1, 3});
  const Tensor tall = unit(k, x, 384, {3, 1});
  return k.concat({wide, tall}, name);
}

Tensor mixed_8(Layers& k, Tensor x, int index) {
  const Tensor a = unit(k, x, 320, {1, 1});
  const Tensor b = fork(k, unit(k, x, 384, {1, 1}), "mixed9_" + std::to_string(index));
  Tensor c = unit(k, x, 448, {1, 1});
  c = fork(k, unit(k, c, 384, {3, 3}), "");
  return k.concat({a, b, c, pooled(k, x, 192)}, "mixed" + std::to_string(9 + index));
}

}  // namespace

Result<Network> inception_v3(const InputSize& input) {
  Layers k("keras", "inceptionv3");
  Tensor x = inception_stem(k, k.input(input.size));
  x = mixed_35(k, x, 32, "mixed0");
  x = mixed_35(k, x, 64, "mixed1");
  x = mixed_35(k, x, 64, "mixed2");
  x = reduce_to_17(k, x);
  x = mixed_17(k, x, 128, "mixed4");
  x = mixed_17(k, x, 160, "mixed5");
  x = mixed_17(k, x, 160, "mixed6");
  x = mixed_17(k, x, 192, "mixed7");
  x = reduce_to_8(k, x);
  x = mixed_8(k, x, 0);
  x = mixed_8(k, x, 1);
  x = k.global_average_pool(x, "avg_pool");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
