// Reports that SCALE-Sim itself wrote, byte for byte: those kept here, and all that lie beside the
// repository.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "systolic/scalesim/config.h"
#include "systolic/scalesim/reports.h"
#include "systolic/simulate.h"

namespace ergon::systolic {
namespace {

namespace fs = std::filesystem;

const fs::path kRepository = ERGON_REPOSITORY;
const fs::path kShared = kRepository / "../shared/golden/scalesim";

void expect_equal(const fs::path& run, const fs::path& topology_file, Semantics semantics) {
  fs::path config_file;
  for (const auto& file : fs::directory_iterator(run)) {
    if (file.path().extension() == ".cfg") config_file = file.path();
  }
  const auto config_text = read_file(config_file);
  ASSERT_TRUE(config_text) << config_file;
  const auto config = scalesim::parse_config(*config_text, config_file.string());
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(config->warnings.empty());
  const auto topology_text = read_file(topology_file);
  ASSERT_TRUE(topology_text) << topology_file;
  const auto topology = graph::parse_topology(*topology_text, topology_file.string());
  ASSERT_TRUE(topology) << topology.error().message;
  const auto layers = layers_of(*topology, true);
  ASSERT_TRUE(layers) << layers.error().message;

  ScheduleCache cache;
  const MemoryPort port{!config->user_bandwidth, config->ports(semantics), 0};
  const auto runs = simulate(*layers, config->machine, port, semantics, cache);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_EQ(scalesim::compute_report(*runs, semantics), *read_file(run / "COMPUTE_REPORT.csv"));
  EXPECT_EQ(scalesim::bandwidth_report(*runs), *read_file(run / "BANDWIDTH_REPORT.csv"));
  EXPECT_EQ(scalesim::access_report(*runs), *read_file(run / "DETAILED_ACCESS_REPORT.csv"));
}

TEST(Golden, MobileNetOnAnEdgeArray) {
  const fs::path mobilenet = kRepository / "data/networks/scalesim/MobileNet.csv";
  const fs::path golden = kRepository / "tests/golden/scalesim";
  expect_equal(golden / "v3_os_calc", mobilenet, Semantics::v3);
  expect_equal(golden / "v3_ws_calc", mobilenet, Semantics::v3);
  expect_equal(golden / "v2-2021_os_user", mobilenet, Semantics::v2_2021);
}

TEST(Golden, AllRunsBesideTheRepository) {
  if (!fs::exists(kShared)) GTEST_SKIP() << "../shared/golden/scalesim is not here";
  int runs = 0;
  for (const Semantics semantics : kSemantics) {
    const std::string version(name_of(semantics));
    if (!fs::exists(kShared / version)) continue;
    for (const auto& run : fs::directory_iterator(kShared / version)) {
      const std::string name = run.path().filename().string();
      SCOPED_TRACE(name);
      expect_equal(run.path(), kShared / "topologies" / (name.substr(0, name.find('_')) + ".csv"), semantics);
      ++runs;
    }
  }
  EXPECT_GE(runs, 29);
}

// ARADA's Table 1 rests on these: MobileNet's layers (counted from 1) that wait at 20 words a cycle in
// scale-sim-v2 as it was when the paper was written. scale-sim-v2 of 2025 gives the same; v3 counts waits
// twice.
TEST(Golden, StallsBehindAradasTable1) {
  const auto text = read_file(kRepository / "data/networks/scalesim/MobileNet.csv");
  ASSERT_TRUE(text);
  const auto topology = graph::parse_topology(*text, "MobileNet.csv");
  ASSERT_TRUE(topology);
  const auto layers = layers_of(*topology, true);
  ASSERT_TRUE(layers);
  const Machine machine{{64, 64}, Dataflow::output_stationary, {1 << 20, 2 << 20, 1 << 20}};
  struct Expected {
    std::int64_t total, stall;
  };
  std::map<std::size_t, Expected> expected = {{2, {165348, 86689}},
                                              {4, {82997, 48600}},
                                              {6, {161605, 102818}},
                                              {8, {33626, 17013}},
                                              {10, {61862, 35133}}};
  for (const std::size_t layer : {14, 16, 18, 20, 22}) expected[layer] = {32066, 17865};
  for (const Semantics semantics : {Semantics::v2_2021, Semantics::v2}) {
    ScheduleCache cache;
    const auto runs = simulate(*layers, machine, MemoryPort::of(20), semantics, cache);
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 27U);
    for (std::size_t i = 0; i < runs->size(); ++i) {
      const LayerTiming& timing = (*runs)[i].timing;
      const auto found = expected.find(i + 1);
      EXPECT_EQ(timing.stall_cycles, found == expected.end() ? 0 : found->second.stall) << i + 1;
      if (found != expected.end()) {
        EXPECT_EQ(timing.total_cycles, found->second.total) << i + 1;
      }
    }
  }
}

}  // namespace
}  // namespace ergon::systolic
