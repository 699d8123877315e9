#pragma once

#include <span>
#include <string>

#include "graph/zoo/entry.h"

// The networks of keras.applications as Keras 2.6.0 builds them, with their 1000-class heads.
namespace ergon::graph::zoo::keras {

Result<Network> vgg(const std::string& name, std::span<const int> convolutions, const Choice& choice);
Result<Network> densenet(const std::string& name, std::span<const int> blocks, const Choice& choice);
Result<Network> resnet(const std::string& name, std::span<const int> blocks, const Choice& choice);
Result<Network> resnet_v2(const std::string& name, std::span<const int> blocks, const Choice& choice);
Result<Network> mobilenet(const Choice& choice);
Result<Network> mobilenet_v2(const Choice& choice);
Result<Network> xception(const Choice& choice);
Result<Network> inception_v3(const Choice& choice);
Result<Network> inception_resnet_v2(const Choice& choice);

struct EfficientNetScale {
  double width;
  double depth;
};
Result<Network> efficientnet(const std::string& name, EfficientNetScale scale, const Choice& choice);

struct NasNetPlan {
  std::int64_t penultimate_filters;
  int blocks;
  std::int64_t stem_filters;
  bool skip_reduction;  // the cell after a reduction looks past it
};
Result<Network> nasnet(const std::string& name, const NasNetPlan& plan, const Choice& choice);

}  // namespace ergon::graph::zoo::keras
