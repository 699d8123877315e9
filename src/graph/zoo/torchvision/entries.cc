#include <span>

#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo {
namespace {

using Build = std::function<Result<Network>(const InputSize&)>;

Entry plain(const std::string& name, std::int64_t size, Build build) {
  return {"torchvision", name, {size}, std::move(build)};
}

Entry resnet(torchvision::ResNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224,
               [plan = std::move(plan)](const InputSize& input) { return torchvision::resnet(plan, input); });
}

Entry vgg(const std::string& name, std::span<const int> layers, bool normalized) {
  return plain(name, 224,
               [=](const InputSize& input) { return torchvision::vgg(name, layers, normalized, input); });
}

Entry densenet(torchvision::DenseNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224, [plan = std::move(plan)](const InputSize& input) {
    return torchvision::densenet(plan, input);
  });
}

Entry convnext(torchvision::ConvNeXtPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224, [plan = std::move(plan)](const InputSize& input) {
    return torchvision::convnext(plan, input);
  });
}

Entry mnasnet(const std::string& name, double width) {
  return plain(name, 224, [=](const InputSize& input) { return torchvision::mnasnet(name, width, input); });
}

Entry shufflenet(torchvision::ShuffleNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224, [plan = std::move(plan)](const InputSize& input) {
    return torchvision::shufflenet_v2(plan, input);
  });
}

Entry efficientnet(const std::string& name, double width, double depth, std::int64_t size) {
  return plain(name, size,
               [=](const InputSize& input) { return torchvision::efficientnet(name, width, depth, input); });
}

Entry regnet(torchvision::RegNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224,
               [plan = std::move(plan)](const InputSize& input) { return torchvision::regnet(plan, input); });
}

Entry swin(torchvision::SwinPlan plan, std::int64_t size) {
  const std::string name = plan.name;
  return plain(name, size,
               [plan = std::move(plan)](const InputSize& input) { return torchvision::swin(plan, input); });
}

Entry vit(torchvision::VitPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224,
               [plan = std::move(plan)](const InputSize& input) { return torchvision::vit(plan, input); });
}

constexpr int kVgg11[] = {64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0};
constexpr int kVgg13[] = {64, 64, 0, 128, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0};
constexpr int kVgg16[] = {64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0};
constexpr int kVgg19[] = {64,  64,  0,   128, 128, 0,   256, 256, 256, 256, 0,
                          512, 512, 512, 512, 0,   512, 512, 512, 512, 0};

// Image sizes are the published ones, except for alexnet: 227, as its paper's layer sizes require.
std::vector<Entry> convolutional() {
  return {
      plain("alexnet", 227, torchvision::alexnet),
      convnext({"convnext_tiny", 96, {3, 3, 9, 3}}),
      convnext({"convnext_small", 96, {3, 3, 27, 3}}),
      convnext({"convnext_base", 128, {3, 3, 27, 3}}),
      convnext({"convnext_large", 192, {3, 3, 27, 3}}),
      densenet({"densenet121", {6, 12, 24, 16}}),
      densenet({"densenet161", {6, 12, 36, 24}, 96, 48}),
      densenet({"densenet169", {6, 12, 32, 32}}),
      densenet({"densenet201", {6, 12, 48, 32}}),
      efficientnet("efficientnet_b0", 1.0, 1.0, 224),
      efficientnet("efficientnet_b1", 1.0, 1.1, 240),
      efficientnet("efficientnet_b2", 1.1, 1.2, 260),
      efficientnet("efficientnet_b3", 1.2, 1.4, 300),
      efficientnet("efficientnet_b4", 1.4, 1.8, 380),
      efficientnet("efficientnet_b5", 1.6, 2.2, 456),
      efficientnet("efficientnet_b6", 1.8, 2.6, 528),
      efficientnet("efficientnet_b7", 2.0, 3.1, 600),
      plain("efficientnet_v2_s", 384, torchvision::efficientnet_v2_s),
      plain("efficientnet_v2_m", 480, torchvision::efficientnet_v2_m),
      plain("efficientnet_v2_l", 480, torchvision::efficientnet_v2_l),
      plain("googlenet", 224, torchvision::googlenet),
      plain("inception_v3", 299, torchvision::inception_v3),
      mnasnet("mnasnet0_5", 0.5),
      mnasnet("mnasnet0_75", 0.75),
      mnasnet("mnasnet1_0", 1.0),
      mnasnet("mnasnet1_3", 1.3),
      plain("mobilenet_v2", 224, torchvision::mobilenet_v2),
      plain("mobilenet_v3_large", 224, torchvision::mobilenet_v3_large),
      plain("mobilenet_v3_small", 224, torchvision::mobilenet_v3_small),
      regnet({"regnet_x_400mf", 22, 24, 24.48, 2.54, 16, 0}),
      regnet({"regnet_x_800mf", 16, 56, 35.73, 2.28, 16, 0}),
      regnet({"regnet_x_1_6gf", 18, 80, 34.01, 2.25, 24, 0}),
      regnet({"regnet_x_3_2gf", 25, 88, 26.31, 2.25, 48, 0}),
      regnet({"regnet_x_8gf", 23, 80, 49.56, 2.88, 120, 0}),
      regnet({"regnet_x_16gf", 22, 216, 55.59, 2.1, 128, 0}),
      regnet({"regnet_x_32gf", 23, 320, 69.86, 2.0, 168, 0}),
      regnet({"regnet_y_400mf", 16, 48, 27.89, 2.09, 8, 0.25}),
      regnet({"regnet_y_800mf", 14, 56, 38.84, 2.4, 16, 0.25}),
      regnet({"regnet_y_1_6gf", 27, 48, 20.71, 2.65, 24, 0.25}),
      regnet({"regnet_y_3_2gf", 21, 80, 42.63, 2.66, 24, 0.25}),
      regnet({"regnet_y_8gf", 17, 192, 76.82, 2.19, 56, 0.25}),
      regnet({"regnet_y_16gf", 18, 200, 106.23, 2.48, 112, 0.25}),
      regnet({"regnet_y_32gf", 20, 232, 115.89, 2.53, 232, 0.25}),
      resnet({"resnet18", {2, 2, 2, 2}, false}),
      resnet({"resnet34", {3, 4, 6, 3}, false}),
      resnet({"resnet50", {3, 4, 6, 3}}),
      resnet({"resnet101", {3, 4, 23, 3}}),
      resnet({"resnet152", {3, 8, 36, 3}}),
      resnet({"resnext50_32x4d", {3, 4, 6, 3}, true, 32, 4}),
      resnet({"resnext101_32x8d", {3, 4, 23, 3}, true, 32, 8}),
      resnet({"resnext101_64x4d", {3, 4, 23, 3}, true, 64, 4}),
      shufflenet({"shufflenet_v2_x0_5", {48, 96, 192}, 1024}),
      shufflenet({"shufflenet_v2_x1_0", {116, 232, 464}, 1024}),
      shufflenet({"shufflenet_v2_x1_5", {176, 352, 704}, 1024}),
      shufflenet({"shufflenet_v2_x2_0", {244, 488, 976}, 2048}),
      plain("squeezenet1_0", 224, torchvision::squeezenet1_0),
      plain("squeezenet1_1", 224, torchvision::squeezenet1_1),
      vgg("vgg11", kVgg11, false),
      vgg("vgg11_bn", kVgg11, true),
      vgg("vgg13", kVgg13, false),
      vgg("vgg13_bn", kVgg13, true),
      vgg("vgg16", kVgg16, false),
      vgg("vgg16_bn", kVgg16, true),
      vgg("vgg19", kVgg19, false),
      vgg("vgg19_bn", kVgg19, true),
      resnet({"wide_resnet50_2", {3, 4, 6, 3}, true, 1, 128}),
      resnet({"wide_resnet101_2", {3, 4, 23, 3}, true, 1, 128}),
  };
}

std::vector<Entry> transformers() {
  return {
      swin({"swin_t", 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 7, false}, 224),
      swin({"swin_s", 96, {2, 2, 18, 2}, {3, 6, 12, 24}, 7, false}, 224),
      swin({"swin_b", 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 7, false}, 224),
      swin({"swin_v2_t", 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 8, true}, 256),
      swin({"swin_v2_s", 96, {2, 2, 18, 2}, {3, 6, 12, 24}, 8, true}, 256),
      swin({"swin_v2_b", 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 8, true}, 256),
      vit({"vit_b_16", 16}),
      vit({"vit_b_32", 32}),
      vit({"vit_l_16", 16, 1024, 16, 24}),
      vit({"vit_l_32", 32, 1024, 16, 24}),
  };
}

}  // namespace

std::vector<Entry> torchvision_entries() {
  auto all = convolutional();
  for (Entry& entry : transformers()) all.push_back(std::move(entry));
  return all;
}

}  // namespace ergon::graph::zoo
