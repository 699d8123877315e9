#include <fmt/format.h>

#include "graph/zoo/torchvision/inception.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

struct GoogLeNetPlan {
  std::int64_t one, reduce3, three, reduce5, five, pool;
};

Tensor inception(Layers& t, Tensor x, const GoogLeNetPlan& mix, const std::string& name) {
  const Tensor one = basic_conv(t, x, mix.one, Window::square(1), name + ".branch1");
  Tensor three = basic_conv(t, x, mix.reduce3, Window::square(1), name + ".branch2.0");
  three = basic_conv(t, three, mix.three, Window::square(3, 1, 1), name + ".branch2.1");
  // torchvision uses 3 x 3 instead of the paper's 5 x 5, as in the network it was converted from.
  Tensor five = basic_conv(t, x, mix.reduce5, Window::square(1), name + ".branch3.0");
  five = basic_conv(t, five, mix.five, Window::square(3, 1, 1), name + ".branch3.1");
  Tensor pool = t.max_pool(x, Window::square(3, 1, 1), name + ".branch4.0", true);
  pool = basic_conv(t, pool, mix.pool, Window::square(1), name + ".branch4.1");
  return t.cat({one, three, five, pool});
}

void auxiliary_head(Layers& t, Tensor x, const std::string& name) {
  t.build().set_training_only(true);
  x = basic_conv(t, t.pooled(x, 4), 128, Window::square(1), name + ".conv");
  x = t.relu(t.linear(t.flatten(x), 1024, name + ".fc1"));
  t.linear(t.dropout(x, name + ".dropout"), kClasses, name + ".fc2");
  t.build().set_training_only(false);
}

}  // namespace

Result<Network> googlenet(const InputSize& input) {
  Layers t("googlenet");
  const auto pool = [&](Tensor x, std::int64_t size, const char* name) {
    return t.max_pool(x, Window::square(size, 2), name, true);
  };
  Tensor x = basic_conv(t, t.image(input.size), 64, Window::square(7, 2, 3), "conv1");
  x = pool(x, 3, "maxpool1");
  x = basic_conv(t, x, 64, Window::square(1), "conv2");
  x = basic_conv(t, x, 192, Window::square(3, 1, 1), "conv3");
  x = pool(x, 3, "maxpool2");
  x = inception(t, x, {64, 96, 128, 16, 32, 32}, "inception3a");
  x = inception(t, x, {128, 128, 192, 32, 96, 64}, "inception3b");
  x = pool(x, 3, "maxpool3");
  x = inception(t, x, {192, 96, 208, 16, 48, 64}, "inception4a");
  auxiliary_head(t, x, "aux1");
  x = inception(t, x, {160, 112, 224, 24, 64, 64}, "inception4b");
  x = inception(t, x, {128, 128, 256, 24, 64, 64}, "inception4c");
  x = inception(t, x, {112, 144, 288, 32, 64, 64}, "inception4d");
  auxiliary_head(t, x, "aux2");
  x = inception(t, x, {256, 160, 320, 32, 128, 128}, "inception4e");
  x = pool(x, 2, "maxpool4");
  x = inception(t, x, {256, 160, 320, 32, 128, 128}, "inception5a");
  x = inception(t, x, {384, 192, 384, 48, 128, 128}, "inception5b");
  x = t.flatten(t.adaptive_average_pool(x, 1, "avgpool"));
  return t.finish(t.linear(t.dropout(x, "dropout"), kClasses, "fc"));
}

}  // namespace ergon::graph::zoo::torchvision
