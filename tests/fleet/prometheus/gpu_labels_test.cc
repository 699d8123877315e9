#include "fleet/prometheus/gpu_labels.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

TEST(GpuLabels, AllLabelNamesAreRead) {
  struct Case {
    Labels labels;
    LabeledGpu gpu;
  };
  const Case cases[] = {
      // dcgm-exporter since 2.0
      {{{"gpu", "3"},
        {"UUID", "GPU-a"},
        {"device", "nvidia3"},
        {"Hostname", "n1"},
        {"instance", "10.0.0.7:9400"}},
       {"n1", "GPU-a", "GPU-a", ""}},
      // 1.x, with and without relabeling rules that add a node
      {{{"gpu", "3"}, {"uuid", "GPU-a"}, {"instance", "n1:9400"}}, {"n1", "GPU-a", "GPU-a", ""}},
      {{{"uuid", "GPU-a"}, {"kubernetes_node", "n1"}, {"instance", "10.0.0.7:9400"}},
       {"n1", "GPU-a", "GPU-a", ""}},
      {{{"gpu_uuid", "GPU-a"}, {"hostname", "n1"}}, {"n1", "GPU-a", "GPU-a", ""}},
      // Ergon's
      {{{"uuid", "GPU-a"}, {"host", "n1"}, {"serial", "17"}}, {"n1", "GPU-a", "GPU-a", "17"}},
      // no UUID
      {{{"node", "n1"}, {"DCGM_FI_DEV_SERIAL", "17"}, {"gpu", "0"}}, {"n1", "17", "", "17"}},
      {{{"node", "n1"}, {"gpu", "0"}}, {"n1", "0", "", ""}},
      {{{"node", "n1"}, {"device", "nvidia0"}}, {"n1", "nvidia0", "", ""}},
      {{{"node", "n1"}, {"minor_number", "2"}}, {"n1", "2", "", ""}},
      {{{"node", "n1"}}, {"n1", "n1", "", ""}},
      // no labels
      {{{"UUID", "GPU-a"}}, {"", "GPU-a", "GPU-a", ""}},
      {{}, {"", "", "", ""}},
  };
  for (const Case& each : cases) {
    const LabeledGpu gpu = gpu_of(each.labels);
    EXPECT_EQ(gpu, each.gpu) << gpu.host << " " << gpu.key << " " << gpu.uuid << " " << gpu.serial;
  }
}

TEST(GpuLabels, EmptyLabelsCountAsAbsent) {
  EXPECT_EQ(gpu_of({{"Hostname", ""}, {"instance", "n1:1"}, {"UUID", ""}, {"uuid", "GPU-a"}}),
            (LabeledGpu{"n1", "GPU-a", "GPU-a", ""}));
}

TEST(GpuLabels, ThePortOfTheAddressIsRemoved) {
  const std::pair<const char*, const char*> cases[] = {{"n1:9400", "n1"},
                                                       {"n1", "n1"},
                                                       {"[fe80::1]:9400", "fe80::1"},
                                                       {"[fe80::1", "fe80::1"},
                                                       {"::1", "::1"}};
  for (const auto& [address, host] : cases) EXPECT_EQ(gpu_of({{"instance", address}}).host, host) << address;
}

}  // namespace
}  // namespace ergon::fleet
