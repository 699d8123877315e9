#include "graph/zoo/slim/inception.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

struct InceptionV1Plan {
  const char* name;
  std::int64_t one, reduce3, three, reduce5, five, pool;
};

constexpr InceptionV1Plan kMixes3[] = {{"Mixed_3b", 64, 96, 128, 16, 32, 32},
                                       {"Mixed_3c", 128, 128, 192, 32, 96, 64}};
constexpr InceptionV1Plan kMixes4[] = {{"Mixed_4b", 192, 96, 208, 16, 48, 64},
                                       {"Mixed_4c", 160, 112, 224, 24, 64, 64},
                                       {"Mixed_4d", 128, 128, 256, 24, 64, 64},
                                       {"Mixed_4e", 112, 144, 288, 32, 64, 64},
                                       {"Mixed_4f", 256, 160, 320, 32, 128, 128}};
constexpr InceptionV1Plan kMixes5[] = {{"Mixed_5b", 256, 160, 320, 32, 128, 128},
                                       {"Mixed_5c", 384, 192, 384, 48, 128, 128}};

Tensor mix(const Inception& net, Tensor x, const InceptionV1Plan& plan) {
  const Inception here = net.in(plan.name);
  const Tensor one = here.in("Branch_0").conv(x, plan.one, {1, 1}, "Conv2d_0a_1x1");
  Tensor three = here.in("Branch_1").conv(x, plan.reduce3, {1, 1}, "Conv2d_0a_1x1");
  three = here.in("Branch_1").conv(three, plan.three, {3, 3}, "Conv2d_0b_3x3");
  // Slim uses 3 x 3 instead of the paper's 5 x 5.
  Tensor five = here.in("Branch_2").conv(x, plan.reduce5, {1, 1}, "Conv2d_0a_1x1");
  five = here.in("Branch_2").conv(five, plan.five, {3, 3}, "Conv2d_0b_3x3");
  Tensor pool = here.in("Branch_3").max_pool(x, 3, 1, "MaxPool_0a_3x3");
  pool = here.in("Branch_3").conv(pool, plan.pool, {1, 1}, "Conv2d_0b_1x1");
  return here.concat({one, three, five, pool});
}

}  // namespace

Result<Network> inception_v1(const InputSize& input) {
  Layers s("inception_v1");
  const Inception net(s, "InceptionV1");
  Tensor x = s.input(input.size);
  x = net.conv(x, 64, {7, 7}, "Conv2d_1a_7x7", 2);
  x = net.max_pool(x, 3, 2, "MaxPool_2a_3x3");
  x = net.conv(x, 64, {1, 1}, "Conv2d_2b_1x1");
  x = net.conv(x, 192, {3, 3}, "Conv2d_2c_3x3");
  x = net.max_pool(x, 3, 2, "MaxPool_3a_3x3");
  for (const InceptionV1Plan& plan : kMixes3) x = mix(net, x, plan);
  x = net.max_pool(x, 3, 2, "MaxPool_4a_3x3");
  for (const InceptionV1Plan& plan : kMixes4) x = mix(net, x, plan);
  x = net.max_pool(x, 2, 2, "MaxPool_5a_2x2");
  for (const InceptionV1Plan& plan : kMixes5) x = mix(net, x, plan);
  const Inception logits = net.in("Logits");
  x = logits.average_pool(x, 7, 1, "AvgPool_0a_7x7", Padding::valid);
  return s.finish(
      logits.scores(x, kClasses, "Conv2d_0c_1x1", "SpatialSqueeze", "InceptionV1/Logits/Predictions"));
}

}  // namespace ergon::graph::zoo::slim
