#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/zoo/entry.h"

// The networks of torchvision.models, with 1000-class heads, as built without pretrained weights (no input
// transform). Auxiliary heads (googlenet, inception_v3) exist in training only.
namespace ergon::graph::zoo::torchvision {

inline constexpr std::int64_t kClasses = 1000;

struct ResNetPlan {
  std::string name;
  std::vector<int> blocks;
  bool bottleneck = true;
  std::int64_t groups = 1;
  std::int64_t width_per_group = 64;
};
Result<Network> resnet(const ResNetPlan& plan, const InputSize& input);

// `layers`: channels of each convolution; 0 is a pooling.
Result<Network> vgg(const std::string& name, std::span<const int> layers, bool normalized,
                    const InputSize& input);

struct DenseNetPlan {
  std::string name;
  std::vector<int> blocks;
  std::int64_t first_width = 64, growth = 32;
};
Result<Network> densenet(const DenseNetPlan& plan, const InputSize& input);

Result<Network> efficientnet(const std::string& name, double width, double depth, const InputSize& input);
Result<Network> efficientnet_v2_s(const InputSize& input);
Result<Network> efficientnet_v2_m(const InputSize& input);
Result<Network> efficientnet_v2_l(const InputSize& input);
Result<Network> inception_v3(const InputSize& input);
Result<Network> googlenet(const InputSize& input);
Result<Network> mobilenet_v2(const InputSize& input);
Result<Network> mobilenet_v3_small(const InputSize& input);
Result<Network> mobilenet_v3_large(const InputSize& input);
Result<Network> mnasnet(const std::string& name, double width, const InputSize& input);
Result<Network> alexnet(const InputSize& input);
Result<Network> squeezenet1_0(const InputSize& input);
Result<Network> squeezenet1_1(const InputSize& input);

struct ShuffleNetPlan {
  std::string name;
  std::vector<std::int64_t> widths;  // of the three stages
  std::int64_t last;
};
Result<Network> shufflenet_v2(const ShuffleNetPlan& plan, const InputSize& input);

struct ConvNeXtPlan {
  std::string name;
  std::int64_t width;  // of the first stage; each stage doubles it
  std::vector<int> depths;
};
Result<Network> convnext(const ConvNeXtPlan& plan, const InputSize& input);

struct VitPlan {
  std::string name;
  std::int64_t patch;
  std::int64_t width = 768, heads = 12;
  int layers = 12;
};
Result<Network> vit(const VitPlan& plan, const InputSize& input);

struct RegNetPlan {
  std::string name;
  int depth;
  double first_width, slope, multiplier;
  std::int64_t group_width;
  double squeeze;  // 0: no squeeze-and-excitation
};
Result<Network> regnet(const RegNetPlan& plan, const InputSize& input);

struct SwinPlan {
  std::string name;
  std::int64_t width;
  std::vector<int> depths;
  std::vector<std::int64_t> heads;
  std::int64_t window;
  bool second_version;
};
Result<Network> swin(const SwinPlan& plan, const InputSize& input);

}  // namespace ergon::graph::zoo::torchvision
