#include "reproduce/batchsizer/jobs.h"

namespace ergon::reproduce {

const std::array<BatchJob, 20>& batch_jobs() {
  static constexpr std::array<BatchJob, 20> kJobs{{
      {1, "IncV1", "slim/inception_v1", &kImageNet, Watts{191}},
      {2, "IncV2", "slim/inception_v2", &kImageNet, Watts{123}},
      {3, "IncV3", "slim/inception_v3", &kImageNet, Watts{228}},
      {4, "MobV1", "slim/mobilenet_v1", &kImageNet, Watts{195}},
      {5, "MobV2", "slim/mobilenet_v2", &kImageNet, Watts{84}},
      {6, "NASNET", "slim/nasnet_mobile", &kImageNet, Watts{159}},
      {7, "PNASNET", "slim/pnasnet_mobile", &kImageNet, Watts{246}},
      {8, "Res50", "slim/resnet_v2_50", &kImageNet, Watts{143}},
      {9, "Res101", "slim/resnet_v2_101", &kImageNet, Watts{167}},
      {10, "Res152", "slim/resnet_v2_152", &kImageNet, Watts{218}},
      {11, "IncV1", "slim/inception_v1", &kCaltech, Watts{125}},
      {12, "IncV2", "slim/inception_v2", &kCaltech, Watts{192}},
      {13, "IncV3", "slim/inception_v3", &kCaltech, Watts{165}},
      {14, "MobV1", "slim/mobilenet_v1", &kCaltech, Watts{98}},
      {15, "MobV2", "slim/mobilenet_v2", &kCaltech, Watts{208}},
      {16, "NASNET", "slim/nasnet_mobile", &kCaltech, Watts{135}},
      {17, "PNASNET", "slim/pnasnet_mobile", &kCaltech, Watts{136}},
      {18, "Res50", "slim/resnet_v2_50", &kCaltech, Watts{198}},
      {19, "Res101", "slim/resnet_v2_101", &kCaltech, Watts{236}},
      {20, "Res152", "slim/resnet_v2_152", &kCaltech, Watts{188}},
  }};
  return kJobs;
}

std::vector<Hertz> batchsizer_clocks() {
  std::vector<Hertz> clocks;
  for (const double mhz : {544, 632, 734, 835, 949, 1063, 1189, 1303, 1430, 1531})
    clocks.emplace_back(mhz * 1e6);
  return clocks;
}

}  // namespace ergon::reproduce
