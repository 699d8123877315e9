#include "systolic/setup/setup.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::systolic {
namespace {

TEST(Setup, DefaultsAreTheAccelerators) {
  const auto setup = resolve(SetupRequest{});
  ASSERT_TRUE(setup) << setup.error().message;
  const Accelerator accelerator = *find_accelerator(kDefaultAccelerator);
  EXPECT_EQ(setup->machine, accelerator.machine);
  EXPECT_EQ(setup->clock, accelerator.clock);
  EXPECT_EQ(setup->accelerator->name, accelerator.name);
  EXPECT_EQ(setup->bandwidth_memory(), accelerator.memory);
  EXPECT_TRUE(setup->energies);
  EXPECT_TRUE(setup->files.empty());
  EXPECT_EQ(setup->name, accelerator.name + "_" + accelerator.memory);
  EXPECT_EQ(setup->port.channel_words,
            words_per_cycle(accelerator, *find_memory(accelerator.memory), accelerator.clock));
}

TEST(Setup, OverridesNameTheRun) {
  SetupRequest request;
  request.array = Array{16, 32};
  request.dataflow = Dataflow::weight_stationary;
  request.bandwidth = *parse_bandwidth("28GB/s");
  request.clock = Hertz{400e6};
  request.semantics = Semantics::ergon;
  const auto setup = resolve(request);
  ASSERT_TRUE(setup) << setup.error().message;
  EXPECT_EQ(setup->machine.array, (Array{16, 32}));
  EXPECT_EQ(setup->accelerator->machine, setup->machine);
  EXPECT_EQ(setup->clock, Hertz{400e6});
  EXPECT_FALSE(setup->bandwidth_memory());
  EXPECT_TRUE(setup->memory) << "energies still need it";
  EXPECT_EQ(setup->name, "edge-tpu_28GB-s_16x32_ws_400-MHz_ergon");
  EXPECT_EQ(setup->report_folder("scalesim/MobileNet"), "scalesim-MobileNet_" + setup->name);
  EXPECT_DOUBLE_EQ(setup->port.channel_words,
                   28e9 / 400e6 / static_cast<double>(setup->accelerator->memory_bytes_per_word));
}

// --memory with --bandwidth: the memory sets only the energy of a word, and the output says so.
TEST(Setup, ABandwidthReplacesOnlyThatOfTheMemory) {
  SetupRequest request;
  request.memory = "hbm2";
  const auto memory = resolve(request);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_TRUE(memory->port_text().ends_with(" (hbm2)")) << memory->port_text();
  request.bandwidth = *parse_bandwidth("20");
  const auto both = resolve(request);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->port_text(), "20 words per cycle for each operand (energy of hbm2)");
  EXPECT_EQ(both->energies->memory_word, memory->energies->memory_word);
  request.bandwidth = *parse_bandwidth("calc");
  EXPECT_EQ(resolve(request)->port_text(), "calculated bandwidth (energy of hbm2)");
  request.bandwidth = *parse_bandwidth("1000000");
  EXPECT_EQ(resolve(request)->port_text().find("e+"), std::string::npos) << resolve(request)->port_text();
}

TEST(Setup, RejectsWhatDoesNotFit) {
  SetupRequest request;
  request.accelerator = "edge-tpo";
  EXPECT_EQ(resolve(request).error().kind, Errc::unknown_name);
  request.accelerator.reset();
  request.memory = "lpddr";
  EXPECT_EQ(resolve(request).error().kind, Errc::unknown_name);
  request.memory.reset();
  request.clock = Hertz{0};
  EXPECT_EQ(resolve(request).error().kind, Errc::invalid_input);
  request.clock.reset();
  request.scratchpads = Scratchpads{10, 10, 10};
  EXPECT_EQ(resolve(request).error().kind, Errc::invalid_input);
}

// Files are part of the provenance, in the order in which they are named.
TEST(Setup, ListsTheFilesThatWereRead) {
  const std::filesystem::path data = std::filesystem::path(ERGON_REPOSITORY) / "data";
  SetupRequest request;
  request.accelerator = (data / "accelerators/hpc-tpu.json").string();
  request.memory = (data / "memories/hbm2.json").string();
  const auto setup = resolve(request);
  ASSERT_TRUE(setup) << setup.error().message;
  EXPECT_EQ(setup->files, (std::vector<std::string>{*request.accelerator, *request.memory}));
  EXPECT_EQ(setup->accelerator->name, "hpc-tpu");
}

TEST(Setup, ReadsScaleSimsConfiguration) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "edge.cfg").string();
  ASSERT_TRUE(
      write_file(file,
                 "[general]\nrun_name = edge\n[architecture_presets]\nArrayHeight: 32\nArrayWidth: 16\n"
                 "IfmapSramSzkB: 64\nFilterSramSzkB: 64\nOfmapSramSzkB: 32\nIfmapOffset: 0\n"
                 "FilterOffset: 10000000\nOfmapOffset: 20000000\nDataflow : os\nBandwidth : 20\n"
                 "[run_presets]\nInterfaceBandwidth: USER\n"));
  const auto old = resolve_config(file, {.semantics = Semantics::v2});
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->name, "edge");
  EXPECT_EQ(old->report_folder("any"), "edge");
  EXPECT_EQ(old->machine.array, (Array{32, 16}));
  EXPECT_EQ(old->port.ports.ifmap, 20);
  EXPECT_FALSE(old->clock);
  EXPECT_FALSE(old->energies);
  EXPECT_EQ(old->files, std::vector<std::string>{file});
  const std::size_t warnings = old->warnings.size();
  // v3 takes the bandwidth from [layout] and warns without that section.
  const auto v3 = resolve_config(file, {.semantics = Semantics::v3});
  ASSERT_TRUE(v3);
  EXPECT_EQ(v3->port.ports.ifmap, 10);
  EXPECT_EQ(v3->warnings.size(), warnings + 1);
  const auto given = resolve_config(file, {.bandwidth = *parse_bandwidth("7"), .semantics = Semantics::v3});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->port.ports.ifmap, 7);
  EXPECT_FALSE(resolve_config(file, {.bandwidth = *parse_bandwidth("7GB/s")}));
}

}  // namespace
}  // namespace ergon::systolic
