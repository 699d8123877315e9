#include "allocate/hardware_request.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace ergon::allocate {
namespace {

TEST(HardwareRequest, DefaultsAreThoseOfTheAccelerator) {
  const auto resolved = resolve({});
  ASSERT_TRUE(resolved) << resolved.error().message;
  const systolic::Accelerator accelerator = *systolic::find_accelerator(systolic::kDefaultAccelerator);
  EXPECT_EQ(resolved->accelerator, accelerator.name);
  EXPECT_EQ(resolved->memory, accelerator.memory);
  EXPECT_EQ(resolved->hardware.clock, accelerator.clock);
  EXPECT_EQ(resolved->hardware.clock_step, Hardware{}.clock_step);
  EXPECT_EQ(resolved->hardware.semantics, systolic::Semantics::v2_2021);
  EXPECT_EQ(resolved->hardware.voltage.name(), "alpha-power");
  EXPECT_DOUBLE_EQ(resolved->hardware.voltage.leakage, 0.2);
  EXPECT_FALSE(resolved->hardware.memory);
  EXPECT_TRUE(resolved->files.empty());
}

TEST(HardwareRequest, BandwidthReplacesTheMemory) {
  const auto resolved = resolve({.bandwidth = *systolic::parse_bandwidth("20")});
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_FALSE(resolved->memory);
  EXPECT_EQ(resolved->hardware.words_per_cycle, 20);
  EXPECT_TRUE(resolved->text().starts_with("edge-tpu, 500 MHz in steps of 50 MHz; ")) << resolved->text();
  EXPECT_EQ(resolved->text().find("lpddr"), std::string::npos) << resolved->text();
  // SCALE-Sim's ports move whole words; Ergon's channel moves fractions.
  EXPECT_EQ(resolve({.bandwidth = *systolic::parse_bandwidth("20.5")})->hardware.words_per_cycle, 20);
  EXPECT_EQ(
      resolve({.bandwidth = *systolic::parse_bandwidth("20.5"), .semantics = systolic::Semantics::ergon})
          ->hardware.words_per_cycle,
      20.5);
}

TEST(HardwareRequest, TextNamesTheVoltageAndLeakage) {
  EXPECT_EQ(resolve({})->text(),
            "edge-tpu, 500 MHz in steps of 50 MHz; lpddr4, 8 GB/s\n"
            "voltage alpha-power, at least 60 %; leakage 20 % of dynamic power");
  EXPECT_TRUE(resolve({.voltage = "linear"})
                  ->text()
                  .ends_with("\nvoltage linear, as ARADA assumes: down to 10 %; no leakage"));
  EXPECT_TRUE(resolve({.leakage = 0.0})->text().ends_with("at least 60 %; no leakage"));
  EXPECT_DOUBLE_EQ(resolve({.voltage = "linear", .leakage = 0.4})->hardware.voltage.leakage, 0.4);
}

TEST(HardwareRequest, MemoryEnergyMayFollowDemand) {
  EXPECT_FALSE(resolve({.memory_energy = MemoryEnergy::fixed})->hardware.memory->follows_demand);
  EXPECT_TRUE(resolve({.memory_energy = MemoryEnergy::dvfs})->hardware.memory->follows_demand);
  EXPECT_EQ(name_of(MemoryEnergy::off), "off");
  EXPECT_EQ(name_of(MemoryEnergy::fixed), "fixed");
  EXPECT_EQ(name_of(MemoryEnergy::dvfs), "dvfs");
}

TEST(HardwareRequest, RejectsInvalidValues) {
  EXPECT_EQ(resolve({.switch_time = Seconds{-1}}).error().message, "--switch-time must not be negative");
  EXPECT_EQ(resolve({.voltage = "flor-60"}).error().kind, Errc::unknown_name);
  EXPECT_EQ(resolve({.semantics = systolic::Semantics::v3}).error().kind, Errc::invalid_input);
  for (const systolic::Semantics semantics : kAllocationSemantics)
    EXPECT_TRUE(resolve({.semantics = semantics}));
}

TEST(HardwareRequest, ListsTheFilesThatWereRead) {
  const std::filesystem::path data = std::filesystem::path(ERGON_REPOSITORY) / "data";
  const std::string memory = (data / "memories/lpddr5.json").string();
  const std::string voltage = (data / "voltages/floor-60.json").string();
  const auto resolved = resolve({.memory = memory, .voltage = voltage});
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_EQ(resolved->files, (std::vector<std::string>{memory, voltage}));
  EXPECT_EQ(resolved->memory, "lpddr5");
}

}  // namespace
}  // namespace ergon::allocate
