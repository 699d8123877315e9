#pragma once

#include <optional>
#include <string>

#include "graph/zoo/torchvision/layers.h"

namespace ergon::graph::zoo::torchvision {

// Convolution, batch norm and optional activation: "name.0", "name.1", "name.2".
Tensor conv_norm_act(Layers& t, Tensor x, const Conv& conv, std::optional<Function> function,
                     const std::string& name);

struct SqueezeExcitation {
  std::int64_t channels;
  Function inner;
  Function gate;
};
Tensor squeeze_excitation(Layers& t, Tensor x, const SqueezeExcitation& plan, const std::string& name);

// Inverted residual of mobile networks: expansion, depthwise convolution, squeeze-excitation, projection,
// addition.
struct InvertedResidual {
  std::int64_t kernel, expanded, out, stride;
  Function function;
  std::optional<SqueezeExcitation> squeeze;
  bool always_expands = false;  // even if the expansion has as many channels as the input
  bool drops = false;           // stochastic depth in training
};
Tensor inverted_residual(Layers& t, Tensor x, const InvertedResidual& plan, const std::string& name);

}  // namespace ergon::graph::zoo::torchvision
