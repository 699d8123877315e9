// Every fault that a scenario can have.

#include "machine.h"

namespace ergon::test {
namespace {

// One H200 in manual time, with faults.
Machine with(const std::string& faults, const std::string& devices = R"(["h200"])") {
  return Machine(R"({"time": "manual", "devices": )" + devices + R"(, "faults": [)" + faults + "]}");
}

Return power(nvml::DeviceHandle device) {
  unsigned milliwatts = 0;
  return NVML(DeviceGetPowerUsage)(device, &milliwatts);
}

nvml::FieldValue field(const Machine& machine, unsigned id) {
  nvml::FieldValue value{.field = id};
  EXPECT_EQ(NVML(DeviceGetFieldValues)(machine.device(), 1, &value), Return::success);
  return value;
}

TEST(FakeNvmlFaults, NoDriver) {
  const Machine machine(R"({"faults": [{"fault": "no_driver"}]})", false);
  EXPECT_EQ(NVML(Init_v2)(), Return::driver_not_loaded);
  unsigned count = 0;
  EXPECT_EQ(NVML(DeviceGetCount_v2)(&count), Return::uninitialized);
  EXPECT_FALSE(std::filesystem::exists(machine.log()));
}

TEST(FakeNvmlFaults, AGpuIsLostAtATime) {
  const Machine machine = with(R"({"fault": "lost", "gpu": 1, "from": "5s"})", R"(["h200", "v100"])");
  nvml::DeviceHandle const lost = machine.device(1);
  OWN(advance)(4.99);
  EXPECT_EQ(power(lost), Return::success);
  OWN(advance)(0.01);
  EXPECT_EQ(power(lost), Return::gpu_is_lost);
  char name[nvml::kNameSize];
  EXPECT_EQ(NVML(DeviceGetName)(lost, name, sizeof name), Return::gpu_is_lost);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(lost, 200'000), Return::gpu_is_lost);
  nvml::DeviceHandle again = nullptr;
  EXPECT_EQ(NVML(DeviceGetHandleByIndex_v2)(1, &again), Return::gpu_is_lost);
  EXPECT_EQ(power(machine.device(0)), Return::success);
  unsigned count = 0;
  EXPECT_EQ(NVML(DeviceGetCount_v2)(&count), Return::success);
  EXPECT_EQ(count, 2U);
}

TEST(FakeNvmlFaults, AGpuIsLostAfterSomeCallsAndMayComeBack) {
  const Machine machine = with(R"({"fault": "lost", "gpu": 0, "after_calls": 3, "until": "9s"})");
  nvml::DeviceHandle const device = machine.device();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(power(device), Return::success) << i;
  EXPECT_EQ(power(device), Return::gpu_is_lost);
  OWN(advance)(9);
  EXPECT_EQ(power(device), Return::success);
}

TEST(FakeNvmlFaults, TheLibraryVanishes) {
  for (const auto& [name, result] : {std::pair{"library_not_found", Return::library_not_found},
                                     {"driver_not_loaded", Return::driver_not_loaded},
                                     {"uninitialized", Return::uninitialized}}) {
    const Machine machine =
        with(std::string(R"({"fault": "vanished", "after_calls": 2, "result": ")") + name + "\"}");
    nvml::DeviceHandle const device = machine.device();
    EXPECT_EQ(power(device), Return::success);
    EXPECT_EQ(power(device), result);
    unsigned count = 0;
    EXPECT_EQ(NVML(DeviceGetCount_v2)(&count), result);
  }
}

TEST(FakeNvmlFaults, OneFunctionFails) {
  const Machine machine = with(R"(
      {"fault": "fails", "function": "nvmlDeviceSetGpuLockedClocks", "result": "no_permission"},
      {"fault": "fails", "function": "nvmlDeviceSetPowerManagementLimit", "result": "not_supported",
       "from": "1s"})");
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 900, 900), Return::no_permission);
  EXPECT_EQ(NVML(DeviceResetGpuLockedClocks)(machine.device()), Return::success);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000), Return::success);
  OWN(advance)(1);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000), Return::not_supported);
  ErgonFakeNvmlClocks set{};
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.core_max, 0U);
}

TEST(FakeNvmlFaults, AReadingOrAFieldIsUnsupported) {
  const Machine machine = with(R"({"fault": "unsupported", "reading": "instant"},
                                  {"fault": "unsupported", "reading": "energy"},
                                  {"fault": "unsupported", "reading": "samples"},
                                  {"fault": "unsupported", "field": 82})");
  EXPECT_EQ(field(machine, nvml::field::kPowerInstant).status, Return::not_supported);
  EXPECT_EQ(field(machine, nvml::field::kPowerAverage).status, Return::success);
  EXPECT_EQ(field(machine, nvml::field::kEnergy).status, Return::not_supported);
  EXPECT_EQ(field(machine, nvml::field::kMemoryTemperature).status, Return::not_supported);
  unsigned long long energy = 0;
  EXPECT_EQ(NVML(DeviceGetTotalEnergyConsumption)(machine.device(), &energy), Return::not_supported);
  unsigned count = 0;
  nvml::ValueType type{};
  EXPECT_EQ(
      NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power, 0, &type, &count, nullptr),
      Return::not_supported);
  EXPECT_EQ(power(machine.device()), Return::success);
}

TEST(FakeNvmlFaults, ASensorSticks) {
  const Machine machine = with(R"({"fault": "stuck", "reading": "usage", "from": "3s"})");
  OWN(advance)(3);
  const unsigned stuck = machine.power_mw();
  const ErgonFakeNvmlLoad load = resnet();
  OWN(run)(0, &load);
  OWN(advance)(5);
  EXPECT_EQ(machine.power_mw(), stuck);
  EXPECT_GT(machine.truth().watts, 300);
  EXPECT_GT(field(machine, nvml::field::kPowerInstant).value.uint32, 300'000U);
  // A later process reads the same value.
  NVML(Shutdown)();
  NVML(Init_v2)();
  EXPECT_EQ(machine.power_mw(), stuck);
}

TEST(FakeNvmlFaults, AReadingIsAbsurdForAWhile) {
  const Machine machine = with(R"(
      {"fault": "absurd", "reading": "usage", "value": "900W", "from": "1s", "until": "2s"},
      {"fault": "absurd", "reading": "samples", "value": "3TW", "from": "1s", "until": "1.1s"},
      {"fault": "absurd", "reading": "energy", "value": "1EJ", "from": "1s", "until": "2s"},
      {"fault": "absurd", "reading": "temperature", "value": "300degC", "from": "1s", "until": "2s"})");
  EXPECT_LT(machine.power_mw(), 200'000U);
  OWN(advance)(1.5);
  EXPECT_EQ(machine.power_mw(), 900'000U);
  EXPECT_EQ(machine.energy_mj(), 18'446'744'073'709'551'615U);  // the maximum of the type
  unsigned degrees = 0;
  EXPECT_EQ(NVML(DeviceGetTemperature)(machine.device(), nvml::TemperatureSensor::gpu, &degrees),
            Return::success);
  EXPECT_EQ(degrees, 300U);
  OWN(advance)(0.5);
  EXPECT_LT(machine.power_mw(), 200'000U);

  nvml::Sample samples[200];
  unsigned count = 200, absurd = 0;
  nvml::ValueType type{};
  ASSERT_EQ(
      NVML(DeviceGetSamples)(machine.device(), nvml::SamplingType::total_power, 0, &type, &count, samples),
      Return::success);
  for (unsigned i = 0; i < count; ++i) absurd += samples[i].value.uint32 == 0xffffffff;
  EXPECT_EQ(absurd, 5U);
}

TEST(FakeNvmlFaults, EveryThirdReadingIsAbsurd) {
  const Machine machine = with(R"({"fault": "absurd", "reading": "usage", "value": "5mW", "every": 3})");
  std::string pattern;
  for (int i = 0; i < 7; ++i) pattern += machine.power_mw() == 5 ? '!' : '.';
  EXPECT_EQ(pattern, "..!..!.");
}

TEST(FakeNvmlFaults, ACallIsSlow) {
  const Machine machine = with(R"({"fault": "slow", "function": "nvmlDeviceGetPowerUsage", "by": "150ms"})");
  const auto took = [](const auto& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  EXPECT_GE(took([&] { machine.power_mw(); }), 0.15);
  EXPECT_LT(took([&] { machine.core_mhz(); }), 0.15);
}

TEST(FakeNvmlFaults, AnInvalidScenarioFailsInitialization) {
  const Machine machine(R"({"devices": ["h200"], "fualts": []})", false);
  testing::internal::CaptureStderr();
  EXPECT_EQ(NVML(Init_v2)(), Return::unknown);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("unknown field \"fualts\" (did you mean \"faults\"?)"), std::string::npos) << said;
  EXPECT_STREQ(OWN(last_error)() + std::string(OWN(last_error)()).find("unknown field"),
               "unknown field \"fualts\" (did you mean \"faults\"?)");
}

}  // namespace
}  // namespace ergon::test
