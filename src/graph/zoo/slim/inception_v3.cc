#include <algorithm>

#include "graph/zoo/slim/inception.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

Tensor mixed_5(const Inception& net, Tensor x, std::int64_t pool_filters, const char* name) {
  const Inception here = net.in(name);
  const Tensor a = here.in("Branch_0").conv(x, 64, {1, 1}, "Conv2d_0a_1x1");
  Tensor b = here.in("Branch_1").conv(x, 48, {1, 1}, "Conv2d_0a_1x1");
  b = here.in("Branch_1").conv(b, 64, {5, 5}, "Conv2d_0b_5x5");
  Tensor c = here.in("Branch_2").conv(x, 64, {1, 1}, "Conv2d_0a_1x1");
  c = here.in("Branch_2").conv(c, 96, {3, 3}, "Conv2d_0b_3x3");
  c = here.in("Branch_2").conv(c, 96, {3, 3}, "Conv2d_0c_3x3");
  Tensor d = here.in("Branch_3").average_pool(x, 3, 1, "AvgPool_0a_3x3");
  d = here.in("Branch_3").conv(d, pool_filters, {1, 1}, "Conv2d_0b_1x1");
  return here.concat({a, b, c, d});
}

Tensor mixed_6a(const Inception& net, Tensor x) {
  const Inception here = net.in("Mixed_6a");
  const Tensor a = here.in("Branch_0").conv(x, 384, {3, 3}, "Conv2d_1a_1x1", 2, Padding::valid);
  Tensor b = here.in("Branch_1").conv(x, 64, {1, 1}, "Conv2d_0a_1x1");
  b = here.in("Branch_1").conv(b, 96, {3, 3}, "Conv2d_0b_3x3");
  b = here.in("Branch_1").conv(b, 96, {3, 3}, "Conv2d_1a_1x1", 2, Padding::valid);
  return here.concat({a, b, here.in("Branch_2").max_pool(x, 3, 2, "MaxPool_1a_3x3", Padding::valid)});
}

Tensor mixed_6(const Inception& net, Tensor x, std::int64_t width, const char* name) {
  const Inception here = net.in(name);
  const Tensor a = here.in("Branch_0").conv(x, 192, {1, 1}, "Conv2d_0a_1x1");
  Tensor b = here.in("Branch_1").conv(x, width, {1, 1}, "Conv2d_0a_1x1");
  b = here.in("Branch_1").conv(b, width, {1, 7}, "Conv2d_0b_1x7");
  b = here.in("Branch_1").conv(b, 192, {7, 1}, "Conv2d_0c_7x1");
  Tensor c = here.in("Branch_2").conv(x, width, {1, 1}, "Conv2d_0a_1x1");
  c = here.in("Branch_2").conv(c, width, {7, 1}, "Conv2d_0b_7x1");
  c = here.in("Branch_2").conv(c, width, {1, 7}, "Conv2d_0c_1x7");
  c = here.in("Branch_2").conv(c, width, {7, 1}, "Conv2d_0d_7x1");
  c = here.in("Branch_2").conv(c, 192, {1, 7}, "Conv2d_0e_1x7");
  Tensor d = here.in("Branch_3").average_pool(x, 3, 1, "AvgPool_0a_3x3");
  d = here.in("Branch_3").conv(d, 192, {1, 1}, "Conv2d_0b_1x1");
  return here.concat({a, b, c, d});
}

Tensor mixed_7a(const Inception& net, Tensor x) {
  const Inception here = net.in("Mixed_7a");
  Tensor a = here.in("Branch_0").conv(x, 192, {1, 1}, "Conv2d_0a_1x1");
  a = here.in("Branch_0").conv(a, 320, {3, 3}, "Conv2d_1a_3x3", 2, Padding::valid);
  Tensor b = here.in("Branch_1").conv(x, 192, {1, 1}, "Conv2d_0a_1x1");
  b = here.in("Branch_1").conv(b, 192, {1, 7}, "Conv2d_0b_1x7");
  b = here.in("Branch_1").conv(b, 192, {7, 1}, "Conv2d_0c_7x1");
  b = here.in("Branch_1").conv(b, 192, {3, 3}, "Conv2d_1a_3x3", 2, Padding::valid);
  return here.concat({a, b, here.in("Branch_2").max_pool(x, 3, 2, "MaxPool_1a_3x3", Padding::valid)});
}

Tensor mixed_7(const Inception& net, Tensor x, const char* name) {
  const Inception here = net.in(name);
  const Tensor a = here.in("Branch_0").conv(x, 320, {1, 1}, "Conv2d_0a_1x1");
  const Inception second = here.in("Branch_1");
  Tensor b = second.conv(x, 384, {1, 1}, "Conv2d_0a_1x1");
  const Tensor b_wide = second.conv(b, 384, {1, 3}, "Conv2d_0b_1x3");
  b = second.concat({b_wide, second.conv(b, 384, {3, 1}, "Conv2d_0c_3x1")});
  const Inception third = here.in("Branch_2");
  Tensor c = third.conv(x, 448, {1, 1}, "Conv2d_0a_1x1");
  c = third.conv(c, 384, {3, 3}, "Conv2d_0b_3x3");
  const Tensor c_wide = third.conv(c, 384, {1, 3}, "Conv2d_0c_1x3");
  c = third.concat({c_wide, third.conv(c, 384, {3, 1}, "Conv2d_0d_3x1")});
  Tensor d = here.in("Branch_3").average_pool(x, 3, 1, "AvgPool_0a_3x3");
  d = here.in("Branch_3").conv(d, 192, {1, 1}, "Conv2d_0b_1x1");
  return here.concat({a, b, c, d});
}

// Auxiliary classifier (training only). Slim shrinks its windows for images smaller than the default.
void auxiliary_head(const Inception& net, Tensor x) {
  Layers& s = net.layers();
  s.build().set_training_only(true);
  const Inception here = net.in("AuxLogits");
  x = here.average_pool(x, std::min<std::int64_t>(5, s.height(x)), 3, "AvgPool_1a_5x5", Padding::valid);
  x = here.conv(x, 128, {1, 1}, "Conv2d_1b_1x1");
  const std::int64_t side = std::min<std::int64_t>(5, s.height(x));
  x = here.conv(x, 768, {side, side}, "Conv2d_2a_5x5", 1, Padding::valid);
  s.kernel(x, kClasses, {1, 1}, 1, Padding::same, true, "InceptionV3/AuxLogits/Conv2d_2b_1x1");
  s.build().set_training_only(false);
}

}  // namespace

Result<Network> inception_v3(const InputSize& input) {
  Layers s("inception_v3");
  const Inception net(s, "InceptionV3");
  Tensor x = s.input(input.size);
  x = net.conv(x, 32, {3, 3}, "Conv2d_1a_3x3", 2, Padding::valid);
  x = net.conv(x, 32, {3, 3}, "Conv2d_2a_3x3", 1, Padding::valid);
  x = net.conv(x, 64, {3, 3}, "Conv2d_2b_3x3");
  x = net.max_pool(x, 3, 2, "MaxPool_3a_3x3", Padding::valid);
  x = net.conv(x, 80, {1, 1}, "Conv2d_3b_1x1", 1, Padding::valid);
  x = net.conv(x, 192, {3, 3}, "Conv2d_4a_3x3", 1, Padding::valid);
  x = net.max_pool(x, 3, 2, "MaxPool_5a_3x3", Padding::valid);
  x = mixed_5(net, x, 32, "Mixed_5b");
  x = mixed_5(net, x, 64, "Mixed_5c");
  x = mixed_5(net, x, 64, "Mixed_5d");
  x = mixed_6a(net, x);
  x = mixed_6(net, x, 128, "Mixed_6b");
  x = mixed_6(net, x, 160, "Mixed_6c");
  x = mixed_6(net, x, 160, "Mixed_6d");
  x = mixed_6(net, x, 192, "Mixed_6e");
  auxiliary_head(net, x);
  x = mixed_7a(net, x);
  x = mixed_7(net, x, "Mixed_7b");
  x = mixed_7(net, x, "Mixed_7c");
  const Inception logits = net.in("Logits");
  x = logits.average_pool(x, 8, 2, "AvgPool_1a_8x8", Padding::valid);
  return s.finish(logits.scores(x, kClasses, "Conv2d_1c_1x1", "SpatialSqueeze", "InceptionV3/Predictions"));
}

}  // namespace ergon::graph::zoo::slim
