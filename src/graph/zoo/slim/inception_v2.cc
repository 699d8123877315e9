#include "graph/zoo/slim/inception.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

struct InceptionV2Plan {
  const char* name;
  std::int64_t one, reduce3, three, reduce5, five, pool;
  bool pools_max;
};

constexpr InceptionV2Plan kDeepMixes3[] = {{"Mixed_3b", 64, 64, 64, 64, 96, 32, false},
                                           {"Mixed_3c", 64, 64, 96, 64, 96, 64, false}};
constexpr InceptionV2Plan kDeepMixes4[] = {{"Mixed_4b", 224, 64, 96, 96, 128, 128, false},
                                           {"Mixed_4c", 192, 96, 128, 96, 128, 128, false},
                                           {"Mixed_4d", 160, 128, 160, 128, 160, 96, false},
                                           {"Mixed_4e", 96, 128, 192, 160, 192, 96, false}};
constexpr InceptionV2Plan kDeepMixes5[] = {{"Mixed_5b", 352, 192, 320, 160, 224, 128, false},
                                           {"Mixed_5c", 352, 192, 320, 192, 224, 128, true}};

Tensor deep_mix(const Inception& net, Tensor x, const InceptionV2Plan& plan) {
  const Inception here = net.in(plan.name);
  const Tensor one = here.in("Branch_0").conv(x, plan.one, {1, 1}, "Conv2d_0a_1x1");
  Tensor three = here.in("Branch_1").conv(x, plan.reduce3, {1, 1}, "Conv2d_0a_1x1");
  three = here.in("Branch_1").conv(three, plan.three, {3, 3}, "Conv2d_0b_3x3");
  Tensor five = here.in("Branch_2").conv(x, plan.reduce5, {1, 1}, "Conv2d_0a_1x1");
  five = here.in("Branch_2").conv(five, plan.five, {3, 3}, "Conv2d_0b_3x3");
  five = here.in("Branch_2").conv(five, plan.five, {3, 3}, "Conv2d_0c_3x3");
  const Inception last = here.in("Branch_3");
  Tensor pool = plan.pools_max ? last.max_pool(x, 3, 1, "MaxPool_0a_3x3")
                               : last.average_pool(x, 3, 1, "AvgPool_0a_3x3");
  pool = last.conv(pool, plan.pool, {1, 1}, "Conv2d_0b_1x1");
  return here.concat({one, three, five, pool});
}

struct InceptionV2Reduction {
  const char* name;
  std::int64_t reduce3, three, reduce5, five;
};

Tensor shrink(const Inception& net, Tensor x, const InceptionV2Reduction& plan) {
  const Inception here = net.in(plan.name);
  Tensor three = here.in("Branch_0").conv(x, plan.reduce3, {1, 1}, "Conv2d_0a_1x1");
  three = here.in("Branch_0").conv(three, plan.three, {3, 3}, "Conv2d_1a_3x3", 2);
  Tensor five = here.in("Branch_1").conv(x, plan.reduce5, {1, 1}, "Conv2d_0a_1x1");
  five = here.in("Branch_1").conv(five, plan.five, {3, 3}, "Conv2d_0b_3x3");
  five = here.in("Branch_1").conv(five, plan.five, {3, 3}, "Conv2d_1a_3x3", 2);
  return here.concat({three, five, here.in("Branch_2").max_pool(x, 3, 2, "MaxPool_1a_3x3")});
}

}  // namespace

Result<Network> inception_v2(const InputSize& input) {
  Layers s("inception_v2");
  const Inception net(s, "InceptionV2");
  Tensor x = s.input(input.size);
  // Separable stem: eight filters per color channel, then a pointwise convolution with bias and without norm.
  x = s.depthwise(x, 8, 7, 2, "InceptionV2/Conv2d_1a_7x7/depthwise");
  x = s.kernel(x, 64, {1, 1}, 1, Padding::valid, true, "InceptionV2/Conv2d_1a_7x7/pointwise");
  x = s.relu(x, "InceptionV2/Conv2d_1a_7x7/Relu");
  x = net.max_pool(x, 3, 2, "MaxPool_2a_3x3");
  x = net.conv(x, 64, {1, 1}, "Conv2d_2b_1x1");
  x = net.conv(x, 192, {3, 3}, "Conv2d_2c_3x3");
  x = net.max_pool(x, 3, 2, "MaxPool_3a_3x3");
  for (const InceptionV2Plan& plan : kDeepMixes3) x = deep_mix(net, x, plan);
  x = shrink(net, x, {"Mixed_4a", 128, 160, 64, 96});
  for (const InceptionV2Plan& plan : kDeepMixes4) x = deep_mix(net, x, plan);
  x = shrink(net, x, {"Mixed_5a", 128, 192, 192, 256});
  for (const InceptionV2Plan& plan : kDeepMixes5) x = deep_mix(net, x, plan);
  const Inception logits = net.in("Logits");
  x = logits.average_pool(x, 7, 2, "AvgPool_1a_7x7", Padding::valid);
  return s.finish(logits.scores(x, kClasses, "Conv2d_1c_1x1", "SpatialSqueeze", "InceptionV2/Predictions"));
}

}  // namespace ergon::graph::zoo::slim
