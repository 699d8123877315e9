#include <array>

#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo {
namespace {

using Build = std::function<Result<Network>(const InputSize&)>;

using Stacks = std::vector<int>;

using StackedNetwork = Result<Network> (*)(const std::string&, std::span<const int>, const InputSize&);

Entry stacked(const std::string& name, StackedNetwork network, Stacks stacks) {
  return {"keras", name, {224}, [name, network, stacks = std::move(stacks)](const InputSize& input) {
            return network(name, stacks, input);
          }};
}

Entry plain(const std::string& name, std::int64_t size, Build build) {
  return {"keras", name, {size}, std::move(build)};
}

Entry efficientnet(const std::string& name, double width, double depth, std::int64_t size) {
  return plain(name, size, [=](const InputSize& input) {
    return keras::efficientnet(name, {width, depth}, input);
  });
}

Entry nasnet(const std::string& name, const keras::NasNetPlan& plan, std::int64_t size) {
  return plain(name, size, [=](const InputSize& input) { return keras::nasnet(name, plan, input); });
}

}  // namespace

std::vector<Entry> keras_entries() {
  return {
      stacked("densenet121", keras::densenet, {6, 12, 24, 16}),
      stacked("densenet169", keras::densenet, {6, 12, 32, 32}),
      stacked("densenet201", keras::densenet, {6, 12, 48, 32}),
      efficientnet("efficientnetb0", 1.0, 1.0, 224),
      efficientnet("efficientnetb1", 1.0, 1.1, 240),
      efficientnet("efficientnetb2", 1.1, 1.2, 260),
      efficientnet("efficientnetb3", 1.2, 1.4, 300),
      efficientnet("efficientnetb4", 1.4, 1.8, 380),
      efficientnet("efficientnetb5", 1.6, 2.2, 456),
      efficientnet("efficientnetb6", 1.8, 2.6, 528),
      efficientnet("efficientnetb7", 2.0, 3.1, 600),
      plain("inceptionresnetv2", 299, keras::inception_resnet_v2),
      plain("inceptionv3", 299, keras::inception_v3),
      plain("mobilenet", 224, keras::mobilenet),
      plain("mobilenetv2", 224, keras::mobilenet_v2),
      nasnet("nasnetlarge", {4032, 6, 96, true}, 331),
      nasnet("nasnetmobile", {1056, 4, 32, false}, 224),
      stacked("resnet101", keras::resnet, {3, 4, 23, 3}),
      stacked("resnet101v2", keras::resnet_v2, {3, 4, 23, 3}),
      stacked("resnet152", keras::resnet, {3, 8, 36, 3}),
      stacked("resnet152v2", keras::resnet_v2, {3, 8, 36, 3}),
      stacked("resnet50v2", keras::resnet_v2, {3, 4, 6, 3}),
      stacked("vgg16", keras::vgg, {2, 2, 3, 3, 3}),
      stacked("vgg19", keras::vgg, {2, 2, 4, 4, 4}),
      plain("xception", 299, keras::xception),
  };
}

}  // namespace ergon::graph::zoo
