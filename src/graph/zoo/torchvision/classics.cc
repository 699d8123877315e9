// AlexNet, VGG and SqueezeNet.

#include <fmt/format.h>

#include "graph/zoo/torchvision/layers.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

Tensor fire(Layers& t, Tensor x, std::int64_t squeeze, std::int64_t expand, const std::string& name) {
  x = t.act(t.conv(x, {squeeze, 1, 1, 0, 1, true}, name + ".squeeze"), Function::relu,
            name + ".squeeze_activation");
  const Tensor one = t.act(t.conv(x, {expand, 1, 1, 0, 1, true}, name + ".expand1x1"), Function::relu,
                           name + ".expand1x1_activation");
  const Tensor three = t.act(t.conv(x, {expand, 3, 1, 1, 1, true}, name + ".expand3x3"), Function::relu,
                             name + ".expand3x3_activation");
  return t.cat({one, three});
}

Tensor rounded_pool(Layers& t, Tensor x, const char* name) {
  return t.max_pool(x, Window::square(3, 2), name, true);
}

Result<Network> squeezed_classes(Layers& t, Tensor x) {
  x = t.conv(t.dropout(x, "classifier.0"), {kClasses, 1, 1, 0, 1, true}, "classifier.1");
  x = t.adaptive_average_pool(t.act(x, Function::relu, "classifier.2"), 1, "classifier.3");
  return t.finish(t.flatten(x));
}

}  // namespace

Result<Network> alexnet(const InputSize& input) {
  Layers t("alexnet");
  const auto conv_relu = [&](Tensor x, const Conv& conv, int i) {
    x = t.conv(x, conv, fmt::format("features.{}", i));
    return t.act(x, Function::relu, fmt::format("features.{}", i + 1));
  };
  const auto pool = [&](Tensor x, int i) {
    return t.max_pool(x, Window::square(3, 2), fmt::format("features.{}", i));
  };
  Tensor x = t.image(input.size);
  x = pool(conv_relu(x, {64, 11, 4, 2, 1, true}, 0), 2);
  x = pool(conv_relu(x, {192, 5, 1, 2, 1, true}, 3), 5);
  x = conv_relu(x, {384, 3, 1, 1, 1, true}, 6);
  x = conv_relu(x, {256, 3, 1, 1, 1, true}, 8);
  x = pool(conv_relu(x, {256, 3, 1, 1, 1, true}, 10), 12);
  x = t.flatten(t.adaptive_average_pool(x, 6, "avgpool"));
  x = t.linear(t.dropout(x, "classifier.0"), 4096, "classifier.1");
  x = t.dropout(t.act(x, Function::relu, "classifier.2"), "classifier.3");
  x = t.act(t.linear(x, 4096, "classifier.4"), Function::relu, "classifier.5");
  return t.finish(t.linear(x, kClasses, "classifier.6"));
}

Result<Network> vgg(const std::string& name, std::span<const int> layers, bool normalized,
                    const InputSize& input) {
  Layers t(name);
  Tensor x = t.image(input.size);
  int i = 0;
  const auto feature = [&] { return fmt::format("features.{}", i++); };
  for (const int filters : layers) {
    if (filters == 0) {
      x = t.max_pool(x, Window::square(2, 2), feature());
      continue;
    }
    x = t.conv(x, {filters, 3, 1, 1, 1, true}, feature());
    if (normalized) x = t.batch_norm(x, feature());
    x = t.act(x, Function::relu, feature());
  }
  x = t.flatten(t.adaptive_average_pool(x, 7, "avgpool"));
  x = t.act(t.linear(x, 4096, "classifier.0"), Function::relu, "classifier.1");
  x = t.linear(t.dropout(x, "classifier.2"), 4096, "classifier.3");
  x = t.dropout(t.act(x, Function::relu, "classifier.4"), "classifier.5");
  return t.finish(t.linear(x, kClasses, "classifier.6"));
}

Result<Network> squeezenet1_0(const InputSize& input) {
  Layers t("squeezenet1_0");
  Tensor x = t.conv(t.image(input.size), {96, 7, 2, 0, 1, true}, "features.0");
  x = rounded_pool(t, t.act(x, Function::relu, "features.1"), "features.2");
  x = fire(t, x, 16, 64, "features.3");
  x = fire(t, x, 16, 64, "features.4");
  x = rounded_pool(t, fire(t, x, 32, 128, "features.5"), "features.6");
  x = fire(t, x, 32, 128, "features.7");
  x = fire(t, x, 48, 192, "features.8");
  x = fire(t, x, 48, 192, "features.9");
  x = rounded_pool(t, fire(t, x, 64, 256, "features.10"), "features.11");
  return squeezed_classes(t, fire(t, x, 64, 256, "features.12"));
}

Result<Network> squeezenet1_1(const InputSize& input) {
  Layers t("squeezenet1_1");
  Tensor x = t.conv(t.image(input.size), {64, 3, 2, 0, 1, true}, "features.0");
  x = rounded_pool(t, t.act(x, Function::relu, "features.1"), "features.2");
  x = fire(t, x, 16, 64, "features.3");
  x = rounded_pool(t, fire(t, x, 16, 64, "features.4"), "features.5");
  x = fire(t, x, 32, 128, "features.6");
  x = rounded_pool(t, fire(t, x, 32, 128, "features.7"), "features.8");
  x = fire(t, x, 48, 192, "features.9");
  x = fire(t, x, 48, 192, "features.10");
  x = fire(t, x, 64, 256, "features.11");
  return squeezed_classes(t, fire(t, x, 64, 256, "features.12"));
}

}  // namespace ergon::graph::zoo::torchvision
