#pragma once

#include <span>
#include <string>

#include "graph/zoo/entry.h"

// The networks of keras.applications in Keras 2.6.0, with 1000-class heads.
namespace ergon::graph::zoo::keras {

Result<Network> vgg(const std::string& name, std::span<const int> convolutions, const InputSize& input);
Result<Network> densenet(const std::string& name, std::span<const int> blocks, const InputSize& input);
Result<Network> resnet(const std::string& name, std::span<const int> blocks, const InputSize& input);
Result<Network> resnet_v2(const std::string& name, std::span<const int> blocks, const InputSize& input);
Result<Network> mobilenet(const InputSize& input);
Result<Network> mobilenet_v2(const InputSize& input);
Result<Network> xception(const InputSize& input);
Result<Network> inception_v3(const InputSize& input);
Result<Network> inception_resnet_v2(const InputSize& input);

struct EfficientNetScale {
  double width;
  double depth;
};
Result<Network> efficientnet(const std::string& name, EfficientNetScale scale, const InputSize& input);

struct NasNetPlan {
  std::int64_t penultimate_filters;
  int blocks;
  std::int64_t stem_filters;
  bool skip_reduction;  // the cell after a reduction reads the input of the reduction
};
Result<Network> nasnet(const std::string& name, const NasNetPlan& plan, const InputSize& input);

}  // namespace ergon::graph::zoo::keras
