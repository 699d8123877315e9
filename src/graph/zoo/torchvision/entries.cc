#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo {
namespace {

using Build = std::function<Result<Network>(const Choice&)>;

Entry plain(const std::string& name, std::int64_t size, Build build) {
  return {"torchvision", name, {size}, std::move(build)};
}

Entry resnet(torchvision::ResNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224,
               [plan = std::move(plan)](const Choice& choice) { return torchvision::resnet(plan, choice); });
}

Entry vgg(const std::string& name, const std::vector<int>& layers, bool normalised) {
  return plain(name, 224,
               [=](const Choice& choice) { return torchvision::vgg(name, layers, normalised, choice); });
}

Entry densenet(const std::string& name, const std::vector<int>& blocks) {
  return plain(name, 224, [=](const Choice& choice) { return torchvision::densenet(name, blocks, choice); });
}

Entry efficientnet(const std::string& name, double width, double depth, std::int64_t size) {
  return plain(name, size,
               [=](const Choice& choice) { return torchvision::efficientnet(name, width, depth, choice); });
}

Entry regnet(torchvision::RegNetPlan plan) {
  const std::string name = plan.name;
  return plain(name, 224,
               [plan = std::move(plan)](const Choice& choice) { return torchvision::regnet(plan, choice); });
}

Entry swin(torchvision::SwinPlan plan, std::int64_t size) {
  const std::string name = plan.name;
  return plain(name, size,
               [plan = std::move(plan)](const Choice& choice) { return torchvision::swin(plan, choice); });
}

Entry vit(const std::string& name, std::int64_t patch) {
  return plain(name, 224, [=](const Choice& choice) { return torchvision::vit_b(name, patch, choice); });
}

// The side of the image is what each network was published with, except for alexnet (227, as its paper's
// arithmetic needs).
std::vector<Entry> convolutional() {
  return {
      plain("alexnet", 227, torchvision::alexnet),
      plain("convnext_base", 224, torchvision::convnext_base),
      densenet("densenet121", {6, 12, 24, 16}),
      densenet("densenet169", {6, 12, 32, 32}),
      densenet("densenet201", {6, 12, 48, 32}),
      efficientnet("efficientnet_b0", 1.0, 1.0, 224),
      efficientnet("efficientnet_b1", 1.0, 1.1, 240),
      efficientnet("efficientnet_b2", 1.1, 1.2, 260),
      efficientnet("efficientnet_b3", 1.2, 1.4, 300),
      efficientnet("efficientnet_b4", 1.4, 1.8, 380),
      efficientnet("efficientnet_b5", 1.6, 2.2, 456),
      efficientnet("efficientnet_b6", 1.8, 2.6, 528),
      efficientnet("efficientnet_b7", 2.0, 3.1, 600),
      plain("efficientnet_v2_m", 480, torchvision::efficientnet_v2_m),
      plain("googlenet", 224, torchvision::googlenet),
      plain("inception_v3", 299, torchvision::inception_v3),
      plain("mnasnet1_0", 224, torchvision::mnasnet1_0),
      plain("mobilenet_v2", 224, torchvision::mobilenet_v2),
      plain("mobilenet_v3_large", 224, torchvision::mobilenet_v3_large),
      plain("mobilenet_v3_small", 224, torchvision::mobilenet_v3_small),
      regnet({"regnet_x_400mf", 22, 24, 24.48, 2.54, 16, 0}),
      regnet({"regnet_y_8gf", 17, 192, 76.82, 2.19, 56, 0.25}),
      resnet({"resnet18", {2, 2, 2, 2}, false}),
      resnet({"resnet34", {3, 4, 6, 3}, false}),
      resnet({"resnet50", {3, 4, 6, 3}}),
      resnet({"resnet101", {3, 4, 23, 3}}),
      resnet({"resnet152", {3, 8, 36, 3}}),
      resnet({"resnext50_32x4d", {3, 4, 6, 3}, true, 32, 4}),
      plain("shufflenet_v2_x1_0", 224, torchvision::shufflenet_v2_x1_0),
      plain("squeezenet1_1", 224, torchvision::squeezenet1_1),
      vgg("vgg11_bn", {64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0}, true),
      vgg("vgg16", {64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0}, false),
      vgg("vgg19",
          {64, 64, 0, 128, 128, 0, 256, 256, 256, 256, 0, 512, 512, 512, 512, 0, 512, 512, 512, 512, 0},
          false),
      resnet({"wide_resnet50_2", {3, 4, 6, 3}, true, 1, 128}),
  };
}

std::vector<Entry> transformers() {
  return {
      swin({"swin_t", 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 7, false}, 224),
      swin({"swin_b", 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 7, false}, 224),
      swin({"swin_v2_t", 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 8, true}, 256),
      swin({"swin_v2_b", 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 8, true}, 256),
      vit("vit_b_16", 16),
      vit("vit_b_32", 32),
  };
}

}  // namespace

std::vector<Entry> torchvision_entries() {
  auto all = convolutional();
  for (Entry& entry : transformers()) all.push_back(std::move(entry));
  return all;
}

}  // namespace ergon::graph::zoo
