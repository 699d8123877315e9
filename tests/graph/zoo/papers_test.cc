// Published tables.

#include <cmath>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"

namespace ergon::graph::zoo {
namespace {

struct Printed {
  const char* name;
  std::int64_t neurons;
};

// Table 1 of "frequency scaling on the V100S". Its "25,3408,168" is 253,408,168; its 650,000 for alexnet is a
// round figure for the 659,272 outputs of convolutions and dense layers.
constexpr Printed kNeurons[] = {
    {"m-r50x1", 15'903'016},           {"m-r50x3", 143'111'080},          {"m-r101x3", 253'408'168},
    {"m-r101x1", 28'158'248},          {"m-r154x4", 611'981'544},         {"keras/densenet121", 49'926'612},
    {"keras/densenet169", 60'094'164}, {"keras/densenet201", 77'292'244}, {"efficientnetb0", 25'117'095},
    {"efficientnetb1", 40'150'331},    {"efficientnetb2", 50'908'981},    {"efficientnetb3", 87'507'971},
    {"efficientnetb4", 180'088'531},   {"efficientnetb5", 358'290'427},   {"efficientnetb6", 605'671'091},
    {"efficientnetb7", 1'046'113'195}, {"inceptionresnetv2", 81'201'907}, {"inceptionv3", 32'554'387},
    {"mobilenet", 16'848'248},         {"mobilenetv2", 21'815'960},       {"nasnetlarge", 290'560'171},
    {"nasnetmobile", 27'690'705},      {"keras/resnet101", 55'886'036},   {"resnet101v2", 51'261'140},
    {"keras/resnet152", 79'067'348},   {"resnet152v2", 75'755'220},       {"resnet50v2", 31'381'204},
    {"keras/vgg16", 15'262'696},       {"keras/vgg19", 16'567'272},       {"xception", 62'981'867},
    {"caffe/alexnet", 659'272},
};

TEST(FrequencyScalingPaper, Table1Neurons) {
  EXPECT_EQ(std::size(kNeurons), 31U);
  for (const Printed& row : kNeurons) {
    const auto entry = find(row.name);
    ASSERT_TRUE(entry) << row.name;
    const auto network = build(**entry);
    ASSERT_TRUE(network);
    const auto costs = graph::network_costs(*network, 1, Mode::inference);
    ASSERT_TRUE(costs);
    EXPECT_EQ(neurons(**entry, *network, *costs), row.neurons) << row.name;
  }
}

struct Complexity {
  const char* name;
  double mflops;
};

// Table 1 of BatchSizer: twice the kernel weights, in millions. Inception V3 includes its auxiliary head.
constexpr Complexity kComplexities[] = {{"slim/inception_v1", 13.22},   {"slim/inception_v2", 22.34},
                                        {"slim/inception_v3", 54.25},   {"slim/mobilenet_v1", 8.42},
                                        {"slim/mobilenet_v2", 6.94},    {"slim/nasnet_mobile", 10.51},
                                        {"slim/pnasnet_mobile", 10.06}, {"slim/resnet_v2_50", 51.01},
                                        {"slim/resnet_v2_101", 88.89},  {"slim/resnet_v2_152", 120.08}};

TEST(BatchSizerPaper, Table1Complexity) {
  for (const Complexity& row : kComplexities) {
    const auto entry = find(row.name);
    ASSERT_TRUE(entry) << row.name;
    const auto network = build(**entry);
    ASSERT_TRUE(network);
    const auto costs = graph::network_costs(*network, 1, Mode::training);
    ASSERT_TRUE(costs);
    const double mflops = 2.0 * static_cast<double>(costs->totals.kernel_weights) / 1e6;
    // The paper rounds or truncates to two digits (120.085 is printed as 120.08).
    EXPECT_NEAR(mflops, row.mflops, 0.00501) << row.name;
  }
}

}  // namespace
}  // namespace ergon::graph::zoo
