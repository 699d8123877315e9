#pragma once

#include "graph/zoo/keras/layers.h"

namespace ergon::graph::zoo::keras {

// Convolution, batch norm without scale, ReLU: the basic unit of the Inception networks.
inline Tensor unit(Layers& k, Tensor x, std::int64_t filters, Extent kernel, std::int64_t stride = 1,
                   Padding padding = Padding::same) {
  x = k.conv(x, {filters, kernel, stride, padding, false});
  x = k.batch_norm(x, "", false);
  return k.activation(x);
}

// The stem, from the image to 35 x 35, of InceptionV3 and InceptionResNetV2.
inline Tensor inception_stem(Layers& k, Tensor x) {
  x = unit(k, x, 32, {3, 3}, 2, Padding::valid);
  x = unit(k, x, 32, {3, 3}, 1, Padding::valid);
  x = unit(k, x, 64, {3, 3});
  x = k.max_pool(x, {3, 2});
  x = unit(k, x, 80, {1, 1}, 1, Padding::valid);
  x = unit(k, x, 192, {3, 3}, 1, Padding::valid);
  return k.max_pool(x, {3, 2});
}

}  // namespace ergon::graph::zoo::keras
