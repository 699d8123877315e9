// Manual time: results are identical to the last bit, independent of readers.

#include "machine.h"

namespace ergon::test {
namespace {

// Readings of a client over some seconds with many events.
std::vector<unsigned long long> an_afternoon(bool curious) {
  const Machine machine(R"({"time": "manual", "devices": [{"twin": "h200", "seed": 5}]})");
  const ErgonFakeNvmlLoad load = resnet(32);
  std::vector<unsigned long long> seen;
  for (int second = 0; second < 8; ++second) {
    if (second == 1) OWN(run)(0, &load);
    if (second == 3) NVML(DeviceSetGpuLockedClocks)(machine.device(), 1005, 1005);
    if (second == 5) NVML(DeviceSetPowerManagementLimit)(machine.device(), 250'000);
    if (second == 6) OWN(stop)(0);
    for (int step = 0; step < 20; ++step) {
      OWN(advance)(0.05);
      if (curious) machine.power_mw();
    }
    seen.insert(seen.end(), {machine.power_mw(), machine.energy_mj(), machine.core_mhz()});
  }
  seen.push_back(static_cast<unsigned long long>(machine.truth().joules * 1e9));
  return seen;
}

TEST(FakeNvmlTime, EqualScenariosGiveEqualReadings) {
  const auto once = an_afternoon(false);
  EXPECT_EQ(once, an_afternoon(false));
  EXPECT_EQ(once, an_afternoon(true));
  EXPECT_GT(once[7], once[4] + 200'000);  // mJ in the third second
}

TEST(FakeNvmlTime, IsConstantUnlessAdvanced) {
  const Machine machine(R"({"time": "manual"})");
  const auto before = machine.truth();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(machine.truth().joules, before.joules);
  EXPECT_EQ(OWN(advance)(2.5), 0);
  EXPECT_DOUBLE_EQ(machine.truth().seconds, 2.5);
  EXPECT_GT(machine.truth().joules, before.joules);
  EXPECT_EQ(OWN(advance)(-1), static_cast<int>(Return::invalid_argument));
}

TEST(FakeNvmlTime, WallTimePassesAndCannotBeAdvanced) {
  const Machine machine("{}");
  const double before = machine.truth().seconds;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(machine.truth().seconds, before + 0.02);
  EXPECT_LT(machine.truth().seconds, before + 5);
  EXPECT_EQ(OWN(advance)(1), static_cast<int>(Return::not_supported));
}

TEST(FakeNvmlTime, AResetStartsANewSimulation) {
  const Machine machine(R"({"time": "manual"})");
  const ErgonFakeNvmlLoad load = resnet();
  OWN(run)(0, &load);
  OWN(advance)(1);
  NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000);
  EXPECT_EQ(OWN(reset)(), 0);
  EXPECT_EQ(machine.truth().seconds, 0);
  EXPECT_EQ(machine.truth().joules, 0);
  unsigned limit = 0;
  NVML(DeviceGetPowerManagementLimit)(machine.device(), &limit);
  EXPECT_EQ(limit, 700'000U);
  EXPECT_TRUE(machine.processes().empty());
}

// The counter is the true energy at its last update; the samples agree with it.
TEST(FakeNvmlTime, CounterAndSamplesMatchTheTrueEnergy) {
  const Machine machine(R"({"time": "manual"})");
  const ErgonFakeNvmlLoad load = resnet();
  OWN(run)(0, &load);
  OWN(advance)(10);
  const double true_joules = machine.truth().joules;
  EXPECT_NEAR(static_cast<double>(machine.energy_mj()) / 1e3, true_joules, true_joules * 0.01);

  nvml::Sample samples[200];
  unsigned count = 200;
  nvml::ValueType type{};
  ASSERT_EQ(
      NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power, 0, &type, &count, samples),
      Return::success);
  ASSERT_EQ(count, 120U);
  for (unsigned i = 1; i < count; ++i)
    EXPECT_EQ(samples[i].timestamp_us - samples[i - 1].timestamp_us, 20'000U);
  EXPECT_NEAR(samples[119].value.uint32, machine.truth().watts * 1e3, 20'000);

  const unsigned long long seen = samples[109].timestamp_us;
  ASSERT_EQ(
      NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power, seen, &type, &count, samples),
      Return::success);
  EXPECT_EQ(count, 10U);
  EXPECT_EQ(samples[0].timestamp_us, seen + 20'000);
  count = 3;
  ASSERT_EQ(
      NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power, seen, &type, &count, samples),
      Return::success);
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(samples[0].timestamp_us, seen + 20'000);
  count = 200;
  EXPECT_EQ(NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power,
                                   samples[2].timestamp_us * 2, &type, &count, samples),
            Return::not_found);
}

TEST(FakeNvmlTime, BackgroundLoadIsPeriodic) {
  const Machine machine(R"({"time": "manual", "background": [
      {"network": "resnet50", "batch": 64, "on": "2s", "off": "3s"}]})");
  OWN(advance)(1);
  EXPECT_EQ(machine.truth().running, 1);
  const double working = machine.truth().watts;
  OWN(advance)(2);
  EXPECT_EQ(machine.truth().running, 0);
  EXPECT_LT(machine.truth().watts, working / 2);
  OWN(advance)(3);
  EXPECT_EQ(machine.truth().running, 1);
  EXPECT_TRUE(machine.processes().empty());
  const double iterations = machine.truth().iterations;
  OWN(advance)(3600);
  // Three seconds of load so far, and then two of every five seconds.
  EXPECT_NEAR((machine.truth().iterations - iterations) / 1440, iterations / 3, iterations / 3 * 0.02);
}

}  // namespace
}  // namespace ergon::test
