#pragma once

#include <cstdint>

// Tables of the MobileNet papers, shared by all frameworks' versions.
namespace ergon::graph::zoo {

// Howard et al. 2017, Table 1: filters and stride of each depthwise separable convolution.
struct MobileNetStep {
  std::int64_t filters, stride;
};
inline constexpr MobileNetStep kMobileNetV1[] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
                                                 {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
                                                 {512, 1}, {1024, 2}, {1024, 1}};

// Sandler et al. 2018, Table 2: expansion, filters, repeats, and the stride of the first repeat.
struct MobileNetStage {
  std::int64_t expansion, filters;
  int repeats;
  std::int64_t stride;
};
inline constexpr MobileNetStage kMobileNetV2[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

}  // namespace ergon::graph::zoo
