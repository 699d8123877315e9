#include "reproduce/thesis/cases.h"

#include <fmt/format.h>

#include "graph/zoo/zoo.h"

namespace ergon::reproduce {

std::string ThesisCase::text() const { return fmt::format("{} {}", network, size); }

const std::vector<ThesisCase>& thesis_cases() {
  static const std::vector<ThesisCase> kCases{
      {"alexnet", 118},   {"densenet121", 256},        {"efficientnet_b1", 224}, {"efficientnet_b5", 299},
      {"googlenet", 164}, {"mobilenet_v3_large", 284}, {"regnet_x_400mf", 189},  {"mobilenet_v3_small", 152},
      {"resnet18", 124},  {"resnet50", 115},           {"resnet50", 240},        {"resnet50", 310},
      {"resnet101", 205}, {"shufflenet_v2_x1_0", 196}, {"squeezenet1_1", 221},   {"vgg11_bn", 118},
      {"vgg16", 212},     {"wide_resnet50_2", 224},
  };
  return kCases;
}

Result<graph::Network> build(const ThesisCase& test_case) {
  const auto entry = graph::zoo::find("torchvision/" + test_case.network);
  if (!entry) return entry.error();
  return graph::zoo::build(**entry, {test_case.size, {}});
}

}  // namespace ergon::reproduce
