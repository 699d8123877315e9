#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo {
namespace {

Entry resnet(const std::string& name, std::vector<int> units) {
  return {"slim", name, {224}, [name, units = std::move(units)](const InputSize& input) {
            return slim::resnet_v2(name, units, input);
          }};
}

}  // namespace

std::vector<Entry> slim_entries() {
  return {
      {"slim", "inception_v1", {224}, slim::inception_v1},
      {"slim", "inception_v2", {224}, slim::inception_v2},
      {"slim", "inception_v3", {299}, slim::inception_v3},
      {"slim", "mobilenet_v1", {224}, slim::mobilenet_v1},
      {"slim", "mobilenet_v2", {224}, slim::mobilenet_v2},
      {"slim", "nasnet_mobile", {224}, slim::nasnet_mobile},
      {"slim", "pnasnet_mobile", {224}, slim::pnasnet_mobile},
      resnet("resnet_v2_50", {3, 4, 6, 3}),
      resnet("resnet_v2_101", {3, 4, 23, 3}),
      resnet("resnet_v2_152", {3, 8, 36, 3}),
  };
}

}  // namespace ergon::graph::zoo
