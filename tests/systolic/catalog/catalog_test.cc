#include "systolic/catalog/catalog.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "systolic/energy.h"

namespace ergon::systolic {
namespace {

const std::filesystem::path kData = std::filesystem::path(ERGON_REPOSITORY) / "data";

TEST(Catalog, BuiltInEntriesAreConsistentAndNameTheirSources) {
  for (const std::string& name : accelerator_names()) {
    SCOPED_TRACE(name);
    const auto accelerator = find_accelerator(name);
    ASSERT_TRUE(accelerator);
    EXPECT_EQ(accelerator->name, name);
    EXPECT_FALSE(accelerator->sources.empty());
    const auto memory = find_memory(accelerator->memory);
    ASSERT_TRUE(memory);
    const auto table = find_energy_table(accelerator->energy);
    ASSERT_TRUE(table);
    EXPECT_TRUE(access_energies(*accelerator, *table, *memory));
    for (const auto& [known, words] : accelerator->calibrated_words_per_cycle) {
      EXPECT_TRUE(find_memory(known)) << known;
    }
  }
  for (const std::string& name : memory_names()) {
    SCOPED_TRACE(name);
    const auto memory = find_memory(name);
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->name, name);
    EXPECT_FALSE(memory->sources.empty());
  }
  EXPECT_EQ(accelerator_names().size(), 5U);
  EXPECT_EQ(memory_names().size(), 10U);
}

// The words a cycle that reproduce ARADA's figures.
TEST(Catalog, HasAradasElevenConfigurations) {
  const auto words = [](const char* accelerator, const char* memory) {
    const auto a = find_accelerator(accelerator);
    const auto m = find_memory(memory);
    EXPECT_TRUE(a && m);
    return words_per_cycle(*a, *m, a->clock);
  };
  EXPECT_EQ(words("edge-tpu", "lpddr4"), 8);
  EXPECT_EQ(words("edge-tpu", "lpddr5"), 19);
  EXPECT_EQ(words("edge-tpu", "ddr4-4000"), 24);
  EXPECT_EQ(words("edge-tpu", "ddr4-4400"), 26);
  EXPECT_EQ(words("edge-tpu", "ddr5-4800"), 28);
  EXPECT_EQ(words("hpc-tpu", "ddr4-4400"), 7);
  EXPECT_EQ(words("hpc-tpu", "ddr5-4800"), 8);
  EXPECT_EQ(words("hpc-tpu", "ddr5-6800"), 11);
  EXPECT_EQ(words("hpc-tpu", "ddr5-7800"), 12);
  EXPECT_EQ(words("hpc-tpu", "hbm1"), 19);
  EXPECT_EQ(words("hpc-tpu", "hbm2"), 32);
}

TEST(Catalog, BandwidthFollowsClockShareAndWordSize) {
  auto a = find_accelerator("edge-tpu");
  const auto calibrated = find_memory("lpddr4"), other = find_memory("hbm2");
  ASSERT_TRUE(a && calibrated && other);
  EXPECT_DOUBLE_EQ(words_per_cycle(*a, *calibrated, a->clock / 2), 16);
  EXPECT_DOUBLE_EQ(words_per_cycle(*a, *other, a->clock), 122e9 / (500e6 * 2));
  a->memory_share = 0.5;
  EXPECT_DOUBLE_EQ(words_per_cycle(*a, *other, a->clock), 61);
}

TEST(Catalog, ReadsFilesAndSuggestsNames) {
  EXPECT_TRUE(find_accelerator((kData / "accelerators/custom.json").string()));
  EXPECT_TRUE(find_accelerator("Edge-TPU"));
  const auto mistyped = find_accelerator("egde-tpu");
  ASSERT_FALSE(mistyped);
  EXPECT_EQ(mistyped.error().message,
            "unknown accelerator \"egde-tpu\" (did you mean \"edge-tpu\"?); expected custom, edge-tpu, "
            "eyeriss-like, hpc-tpu, tpu-v1, or a .json file");
  EXPECT_EQ(find_memory("/nowhere/x.json").error().kind, Errc::not_found);
}

std::string accelerator_with(std::string_view old, std::string_view changed) {
  std::string text = *read_file(kData / "accelerators/custom.json");
  return text.replace(text.find(old), old.size(), changed);
}

TEST(Catalog, NamesTheFieldThatIsWrong) {
  const auto error = [](std::string_view old, std::string_view changed) {
    const auto parsed = parse_accelerator(accelerator_with(old, changed), "a.json");
    EXPECT_FALSE(parsed) << changed;
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_EQ(error("\"rows\": 32", "\"rows\": 0"),
            "a.json: \"array.rows\": expected a whole number from 1 on, not 0");
  EXPECT_EQ(error("\"rows\": 32,", ""), "a.json: \"array.rows\" is missing");
  EXPECT_EQ(error("\"os\"", "\"rs\""), "a.json: \"dataflow\": expected os, ws or is, not \"rs\"");
  EXPECT_EQ(error("1000", "-5"), "a.json: \"clock_mhz\": expected a number above 0, not -5");
  EXPECT_EQ(error("\"clock_mhz\"", "\"clock_hz\""), "a.json: \"clock_mhz\" is missing");
  EXPECT_EQ(error("\"mac\":", "\"speed\": 3, \"mac\":"), "a.json: unknown field \"speed\"");
  EXPECT_EQ(parse_memory(R"({"name": "m", "peak_gb_per_s": 1e4300})", "m.json").error().message,
            "m.json: not JSON: a number is out of range");
  EXPECT_EQ(parse_accelerator("[1]", "a.json").error().message, "a.json: not a JSON object");
  EXPECT_EQ(parse_accelerator("{\n\n\"a\": }", "a.json").error().message, "a.json:3: not JSON");
  EXPECT_FALSE(parse_memory(R"({"name": "m", "title": "t", "peak_gb_per_s": 1, "effective_gb_per_s": 2,
                                "energy_pj_per_bit": 1})",
                            "m.json"));
}

TEST(Memory, BackgroundScalingIsAShare) {
  const auto with = [](const std::string& scaling) {
    return parse_memory(R"({"name": "m", "title": "t", "peak_gb_per_s": 2, "effective_gb_per_s": 1,
                            "energy_pj_per_bit": 1, "background_w": 1, "background_scaling": )" +
                            scaling + "}",
                        "m.json");
  };
  ASSERT_TRUE(with("0")) << with("0").error().message;
  EXPECT_EQ(with("0")->background_scaling, 0) << "as without the field";
  EXPECT_DOUBLE_EQ(with("0.6")->background_scaling, 0.6);
  EXPECT_EQ(with("1.5").error().message,
            "m.json: \"background_scaling\": expected a share from 0 to 1, not 1.5");
}

TEST(EnergyTable, FollowsStraightLinesInLogarithms) {
  const auto table = find_energy_table("45nm");
  ASSERT_TRUE(table);
  using namespace literals;
  EXPECT_NEAR(table->scratchpad_per_bit(8_KiB).si(), 10e-12 / 64, 1e-18);
  EXPECT_NEAR(table->scratchpad_per_bit(32_KiB).si(), 20e-12 / 64, 1e-18);
  EXPECT_NEAR(table->scratchpad_per_bit(1024_KiB).si(), 100e-12 / 64, 1e-18);
  EXPECT_NEAR(table->scratchpad_per_bit(16_KiB).si(), 10e-12 / 64 * std::sqrt(2), 1e-18);
  EXPECT_GT(table->scratchpad_per_bit(4096_KiB), table->scratchpad_per_bit(1024_KiB));
  EXPECT_LT(table->scratchpad_per_bit(4_KiB), table->scratchpad_per_bit(8_KiB));
}

TEST(Energy, IsCountsTimesAccessEnergies) {
  const AccessEnergies energies{Joules{1}, Joules{10}, Joules{100}, Joules{1000}, Joules{1e4}};
  LayerRun run{.macs = 7};
  run.timing.sram_ifmap.words = 3;
  run.timing.sram_filter.words = 2;
  run.timing.sram_ofmap.words = 1;
  run.timing.dram_ifmap.words = 2;
  run.timing.dram_filter.words = 1;
  run.timing.dram_ofmap.words = 1;
  const LayerEnergy energy = energy_of(run, energies);
  EXPECT_DOUBLE_EQ(energy.compute.si(), 7);
  EXPECT_DOUBLE_EQ(energy.scratchpads.si(), 5 * 10 + 3 * 100 + 2 * 1000);
  EXPECT_DOUBLE_EQ(energy.memory.si(), 4e4);
  EXPECT_DOUBLE_EQ(energy.total().si(), 7 + 2350 + 4e4);
}

TEST(Energy, ErrorsListTheDataTypesOfATable) {
  auto accelerator = find_accelerator("custom");
  const auto memory = find_memory("lpddr4");
  const auto table = find_energy_table("7nm");
  ASSERT_TRUE(accelerator && memory && table);
  accelerator->mac = "fp64";
  EXPECT_EQ(access_energies(*accelerator, *table, *memory).error().message,
            "custom multiplies \"fp64\", and 7nm knows only bf16, fp16, fp32, int8");
}

TEST(Catalog, ADeepFileIsRefused) {
  const auto accelerator = parse_accelerator(
      "{\"name\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}", "deep.json");
  ASSERT_FALSE(accelerator);
  EXPECT_TRUE(accelerator.error().message.starts_with("deep.json: nested deeper than 128 levels"));
}

}  // namespace
}  // namespace ergon::systolic
