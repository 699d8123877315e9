#pragma once

#include "graph/zoo/keras/layers.h"

namespace ergon::graph::zoo::keras {

// Convolution, normalisation without scale, ReLU: the unit that the Inception networks are made of.
inline Tensor unit(Layers& k, Tensor x, std::int64_t filters, Extent kernel, std::int64_t stride = 1,
                   Padding padding = Padding::same) {
  x = k.conv(x, {filters, kernel, stride, padding, false});
  x = k.batch_norm(x, "", false);
  return k.activation(x);
}

}  // namespace ergon::graph::zoo::keras
