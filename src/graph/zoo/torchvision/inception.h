#pragma once

#include <string>

#include "graph/zoo/torchvision/layers.h"

namespace ergon::graph::zoo::torchvision {

// Inception's BasicConv2d: convolution and norm are modules, the ReLU is a function.
inline Tensor basic_conv(Layers& t, Tensor x, std::int64_t out, const Window& window,
                         const std::string& name) {
  x = t.conv(x, out, window, name + ".conv");
  return t.relu(t.batch_norm(x, name + ".bn"));
}

}  // namespace ergon::graph::zoo::torchvision
