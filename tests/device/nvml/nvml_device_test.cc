// GPUs through NVML: twins behind fake-nvml.

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "device/nvml/fake_machine.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::FakeMachine;
using test::one_gpu;

// The only device of a machine without problems.
std::unique_ptr<Device> only_device(const FakeMachine& machine) {
  auto found = machine.find();
  if (!found) ADD_FAILURE() << found.error().message;
  if (!found) return nullptr;
  for (const Error& problem : found->problems) ADD_FAILURE() << problem.message;
  EXPECT_EQ(found->devices.size(), 1u);
  return found->devices.size() == 1 ? std::move(found->devices[0]) : nullptr;
}

// Whether a reading is listed as supported, and its result.
struct ReadingResult {
  std::string name;
  bool supported;
  std::optional<Error> error;
};

std::vector<ReadingResult> read_all(Device& device) {
  std::vector<ReadingResult> answers;
  const Capabilities& can = device.capabilities();
  const auto note = [&](std::string_view name, bool supported, const auto& answer) {
    answers.push_back({std::string(name), supported, answer ? std::nullopt : std::optional(answer.error())});
  };
  for (const PowerField field :
       {PowerField::usage, PowerField::average, PowerField::instant, PowerField::samples}) {
    note(name_of(field), can.has(field), device.power(field));
  }
  note("power_samples", can.has(PowerField::samples), device.power_samples({}));
  note("energy_counter", can.energy_counter, device.energy_counter());
  note("core_clock", can.core_clock, device.clock(ClockDomain::core));
  note("memory_clock", can.memory_clock, device.clock(ClockDomain::memory));
  note("core_clocks", can.supported_clocks, device.supported_clocks(ClockDomain::core));
  note("memory_clocks", can.supported_clocks, device.supported_clocks(ClockDomain::memory));
  note("temperature", can.temperature, device.temperature());
  note("memory_temperature", can.memory_temperature, device.memory_temperature());
  note("utilization", can.utilization, device.utilization());
  note("memory", can.memory, device.memory());
  note("event_reasons", can.event_reasons, device.event_reasons());
  note("processes", can.processes, device.processes());
  note("power_limits", can.power_limit, device.power_limits());
  return answers;
}

struct Generation {
  const char* twin;
  const char* name;
  bool energy_counter, memory_temperature, lock_core, lock_memory;

  friend void PrintTo(const Generation& generation, std::ostream* out) { *out << generation.twin; }
};

class NvmlGenerations : public testing::TestWithParam<Generation> {};

TEST_P(NvmlGenerations, HaveTheirIdentity) {
  const FakeMachine machine(one_gpu(GetParam().twin));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->identity().id, "gpu0");
  EXPECT_TRUE(gpu->identity().uuid.starts_with("GPU-"));
  EXPECT_EQ(gpu->identity().name, GetParam().name);
  EXPECT_EQ(gpu->identity().kind, DeviceKind::nvml);
  EXPECT_TRUE(gpu->simulated());
}

TEST_P(NvmlGenerations, HaveTheirCapabilities) {
  const FakeMachine machine(one_gpu(GetParam().twin));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  const Capabilities& can = gpu->capabilities();
  EXPECT_EQ(can.energy_counter, GetParam().energy_counter);
  EXPECT_EQ(can.memory_temperature, GetParam().memory_temperature);
  EXPECT_EQ(can.lock_core_clock, GetParam().lock_core);
  EXPECT_EQ(can.lock_memory_clock, GetParam().lock_memory);
  EXPECT_TRUE(can.application_clocks);
  EXPECT_TRUE(can.set_power_limit);
  EXPECT_TRUE(can.has(PowerField::usage));
  EXPECT_TRUE(can.core_clock && can.memory_clock && can.supported_clocks && can.temperature);
  EXPECT_TRUE(can.utilization && can.memory && can.event_reasons && can.processes && can.power_limit);
  // The capabilities found at open() stay valid.
  machine.advance(1);
  for (const auto& [name, supported, error] : read_all(*gpu)) {
    EXPECT_EQ(!error, supported) << name << (error ? ": " + error->message : "");
    EXPECT_TRUE(!error || error->kind == Errc::unsupported) << name;
  }
}

TEST_P(NvmlGenerations, ReadTrueValues) {
  const FakeMachine machine(one_gpu(GetParam().twin));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  machine.run(0, "resnet50", 16);
  machine.advance(20);
  const auto before = machine.truth(0);
  const Capabilities& can = gpu->capabilities();
  const auto counted = gpu->energy_counter();
  machine.advance(20);
  const auto truth = machine.truth(0);

  const auto limits = gpu->power_limits();
  ASSERT_TRUE(limits);
  EXPECT_LT(limits->min, limits->max);
  EXPECT_EQ(limits->current, limits->default_limit);
  for (const PowerField field : can.power) {
    const auto power = gpu->power(field);
    ASSERT_TRUE(power) << name_of(field);
    EXPECT_NEAR(power->si(), truth.watts, 0.1 * truth.watts) << name_of(field);
    EXPECT_LT(*power, limits->max * 1.05);
  }
  if (can.energy_counter) {
    const double joules = gpu->energy_counter()->si() - counted->si();
    EXPECT_NEAR(joules, truth.joules - before.joules, 0.1 * joules);  // boards differ in gain
  }

  const auto clocks = gpu->supported_clocks(ClockDomain::core);
  ASSERT_TRUE(clocks);
  EXPECT_GT(clocks->size(), 10u);
  EXPECT_TRUE(std::is_sorted(clocks->begin(), clocks->end()));
  EXPECT_GE(*gpu->clock(ClockDomain::core), clocks->front());
  EXPECT_LE(*gpu->clock(ClockDomain::core), clocks->back());
  EXPECT_EQ(*gpu->clock(ClockDomain::memory), gpu->supported_clocks(ClockDomain::memory)->back());

  EXPECT_GT(*gpu->temperature(), 25_degC);
  EXPECT_LT(*gpu->temperature(), 100_degC);
  EXPECT_GT(gpu->utilization()->compute, 0.3);
  EXPECT_LE(gpu->utilization()->compute, 1);
  const auto memory = gpu->memory();
  ASSERT_TRUE(memory);
  EXPECT_GT(memory->total, 10_GiB);
  EXPECT_GT(memory->used, 100_MiB);
  EXPECT_LT(memory->used, memory->total);
  EXPECT_FALSE(gpu->event_reasons()->has(EventReasons::kIdle));
  const auto processes = gpu->processes();
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 1u);
  EXPECT_EQ((*processes)[0].pid, ::getpid());
  EXPECT_GT((*processes)[0].memory, 100_MiB);
}

INSTANTIATE_TEST_SUITE_P(All, NvmlGenerations,
                         testing::Values(Generation{"h200", "NVIDIA H200", true, true, true, true},
                                         Generation{"a100-sxm-80", "NVIDIA A100-SXM4-80GB", true, true, true,
                                                    true},
                                         Generation{"v100", "Tesla V100-PCIE-32GB", true, true, true, false},
                                         Generation{"p40", "Tesla P40", false, false, false, false}),
                         [](const auto& tested) {
                           std::string name = tested.param.twin;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(NvmlDevice, SamplesAreNewerThanRequestedAndInOrder) {
  const FakeMachine machine(one_gpu("h200"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  ASSERT_TRUE(gpu->capabilities().has(PowerField::samples));
  machine.run(0, "resnet50", 16);
  machine.advance(5);
  const auto first = gpu->power_samples({});
  ASSERT_TRUE(first);
  ASSERT_GT(first->size(), 10u);
  for (std::size_t i = 1; i < first->size(); ++i) EXPECT_GT((*first)[i].at, (*first)[i - 1].at);
  EXPECT_GT(first->front().at, *parse_timestamp("2020-01-01"));
  EXPECT_EQ(first->back().power, *gpu->power(PowerField::samples));

  const auto nothing = gpu->power_samples(first->back().at);
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
  machine.advance(0.5);
  const auto second = gpu->power_samples(first->back().at);
  ASSERT_TRUE(second);
  ASSERT_FALSE(second->empty());
  EXPECT_LT(second->size(), first->size());
  EXPECT_GT(second->front().at, first->back().at);
}

TEST(NvmlDevice, MissingReadingsAreUnsupported) {
  const FakeMachine machine(one_gpu("h200", R"(, "faults": [
      {"fault": "unsupported", "reading": "usage"}, {"fault": "unsupported", "reading": "instant"},
      {"fault": "unsupported", "reading": "energy"}, {"fault": "unsupported", "reading": "samples"}])"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->capabilities().power, std::vector{PowerField::average});
  EXPECT_FALSE(gpu->capabilities().energy_counter);
  const auto power = gpu->power(PowerField::usage);
  ASSERT_FALSE(power);
  EXPECT_EQ(power.error().kind, Errc::unsupported);
  EXPECT_EQ(power.error().message, "power usage of gpu0 (NVIDIA H200): Not Supported");
}

TEST(NvmlDevice, ZeroWattsIsUnsupported) {
  const FakeMachine machine(one_gpu("h200", R"(, "faults": [
      {"fault": "absurd", "reading": "usage", "value": "0W"},
      {"fault": "absurd", "reading": "samples", "value": "0W"}])"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  machine.advance(1);
  EXPECT_FALSE(gpu->capabilities().has(PowerField::usage));
  EXPECT_EQ(gpu->power(PowerField::usage).error().kind, Errc::unsupported);
  EXPECT_EQ(gpu->power(PowerField::samples).error().kind, Errc::unsupported);
}

TEST(NvmlDevice, MissingFunctionsAreUnsupported) {
  const FakeMachine machine(one_gpu("h200", R"(, "absent": [
      "nvmlDeviceGetPowerUsage", "nvmlDeviceGetFieldValues", "nvmlDeviceGetSamples",
      "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetClockInfo", "nvmlDeviceGetSupportedMemoryClocks",
      "nvmlDeviceGetTemperature", "nvmlDeviceGetTemperatureV", "nvmlDeviceGetUtilizationRates",
      "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetCurrentClocksEventReasons",
      "nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetComputeRunningProcesses_v2",
      "nvmlDeviceGetGraphicsRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses_v2",
      "nvmlDeviceGetMPSComputeRunningProcesses", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
      "nvmlDeviceGetPowerManagementLimit"])"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  for (const auto& [name, supported, error] : read_all(*gpu)) {
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->kind, Errc::unsupported) << name << ": " << error->message;
    EXPECT_FALSE(supported) << name;
  }
  EXPECT_FALSE(gpu->capabilities().set_power_limit);
}

TEST(NvmlDevice, UsesOlderFunctionsOfAnOldDriver) {
  const FakeMachine machine(one_gpu("v100"), FakeMachine::Driver::old);
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  const Capabilities& can = gpu->capabilities();
  EXPECT_TRUE(can.has(PowerField::usage));
  EXPECT_FALSE(can.has(PowerField::average) || can.has(PowerField::instant));  // these need field values
  EXPECT_FALSE(can.energy_counter || can.memory_temperature);
  EXPECT_FALSE(can.lock_core_clock || can.lock_memory_clock);
  EXPECT_TRUE(can.application_clocks && can.event_reasons && can.memory && can.processes);
  machine.run(0, "resnet50", 16);
  machine.advance(5);
  EXPECT_GT(gpu->memory()->used, 100_MiB);
  EXPECT_FALSE(gpu->event_reasons()->has(EventReasons::kIdle));
  ASSERT_EQ(gpu->processes()->size(), 1u);
  EXPECT_EQ((*gpu->processes())[0].pid, ::getpid());
}

TEST(NvmlDevice, ALostGpuDoesNotAffectOthers) {
  const FakeMachine machine(R"({"devices": ["h200", "a100-sxm-80"], "time": "manual",
      "faults": [{"fault": "lost", "gpu": 0, "from": "5s"}]})");
  auto found = machine.find();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->devices.size(), 2u);
  machine.advance(6);
  for (const auto& [name, supported, error] : read_all(*found->devices[0])) {
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->kind, Errc::device_lost) << name;
  }
  EXPECT_EQ(found->devices[0]->power(PowerField::usage).error().message,
            "power usage of gpu0 (NVIDIA H200): GPU is lost");
  EXPECT_TRUE(found->devices[1]->power(PowerField::usage));

  // A later search finds the other GPU and reports the lost one.
  const auto later = machine.find();
  ASSERT_TRUE(later);
  ASSERT_EQ(later->devices.size(), 1u);
  EXPECT_EQ(later->devices[0]->identity().id, "gpu1");
  ASSERT_EQ(later->problems.size(), 1u);
  EXPECT_EQ(later->problems[0].kind, Errc::device_lost);
}

TEST(NvmlDevice, AGpuLostWhileItIsOpenedIsAProblem) {
  const FakeMachine machine(
      one_gpu("h200", R"(, "faults": [{"fault": "lost", "gpu": 0, "after_calls": 6}])"));
  const auto found = machine.find();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->devices.empty());
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_EQ(found->problems[0].kind, Errc::device_lost);
}

TEST(NvmlDevice, AllDevicesAreLostWithTheDriver) {
  for (const char* result : {"library_not_found", "driver_not_loaded", "uninitialized", "reset_required"}) {
    const FakeMachine machine(one_gpu(
        "h200",
        std::string(R"(, "faults": [{"fault": "vanished", "from": "5s", "result": ")") + result + "\"}]"));
    const auto gpu = only_device(machine);
    ASSERT_NE(gpu, nullptr);
    ASSERT_TRUE(gpu->power(PowerField::usage));
    machine.advance(6);
    EXPECT_EQ(gpu->power(PowerField::usage).error().kind, Errc::device_lost) << result;
    EXPECT_EQ(gpu->processes().error().kind, Errc::device_lost) << result;
  }
}

TEST(NvmlDevice, OtherErrorsAreTransient) {
  const FakeMachine machine(one_gpu("h200", R"(, "faults": [
      {"fault": "fails", "function": "nvmlDeviceGetPowerUsage", "from": "1s", "until": "2s", "result": "timeout"}])"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  machine.advance(1.5);
  EXPECT_EQ(gpu->power(PowerField::usage).error().kind, Errc::io);
  machine.advance(1);
  EXPECT_TRUE(gpu->power(PowerField::usage));
}

TEST(NvmlDevice, AnInaccessibleGpuIsAProblem) {
  const FakeMachine machine(R"({"devices": ["h200", "h200"],
      "faults": [{"fault": "fails", "function": "nvmlDeviceGetUUID", "gpu": 0, "result": "no_permission"}]})");
  const auto found = machine.find();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->devices.size(), 1u);
  EXPECT_EQ(found->devices[0]->identity().id, "gpu1");
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_EQ(found->problems[0].kind, Errc::permission);
  EXPECT_EQ(found->problems[0].message, "UUID of gpu0: Insufficient Permissions");
}

TEST(NvmlDevice, ADriverWithoutGpusIsNotAnError) {
  const FakeMachine machine(R"({"devices": []})");
  const auto found = machine.find();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->devices.empty());
  EXPECT_TRUE(found->problems.empty());

  const FakeMachine refusing(R"({"devices": []})", FakeMachine::Driver::old);
  EXPECT_TRUE(refusing.find());
}

TEST(NvmlDevice, AStoppedDriverIsNotFound) {
  const FakeMachine machine(R"({"faults": [{"fault": "no_driver"}]})");
  const auto found = machine.find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, Errc::not_found);
  EXPECT_TRUE(found.error().message.starts_with("no NVIDIA driver is running: ")) << found.error().message;
  EXPECT_TRUE(found.error().message.ends_with("\"Driver Not Loaded\"")) << found.error().message;
}

TEST(NvmlDevice, TheLibraryStaysLoadedWithItsDevices) {
  const FakeMachine machine(R"({"devices": ["h200", "h200"]})");
  std::unique_ptr<Device> last;
  {
    auto found = machine.find();
    ASSERT_TRUE(found);
    last = std::move(found->devices.at(1));
  }
  EXPECT_TRUE(last->power(PowerField::usage));
  double now = 0;
  EXPECT_EQ(machine.call<decltype(ergon_fake_nvml_now)>("ergon_fake_nvml_now", &now), 0);
  last.reset();
  constexpr int kUninitialized = 1;
  EXPECT_EQ(machine.call<decltype(ergon_fake_nvml_now)>("ergon_fake_nvml_now", &now), kUninitialized);
}

TEST(NvmlDevice, ADecreasingEnergyCounterMeansALostGpu) {
  const FakeMachine machine(one_gpu("h200", R"(, "faults": [
      {"fault": "absurd", "reading": "energy", "value": "1J", "from": "60s"}])"));
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  machine.advance(50);
  ASSERT_GT(*gpu->energy_counter(), 1_J);
  machine.advance(20);
  EXPECT_EQ(gpu->energy_counter().error().kind, Errc::device_lost);
}

TEST(NvmlDevice, AnyThreadMayRead) {
  const FakeMachine machine(R"({"devices": ["h200"]})");
  const auto gpu = only_device(machine);
  ASSERT_NE(gpu, nullptr);
  std::vector<int> failures(4);
  {
    std::vector<std::jthread> threads;
    for (int& failed : failures) {
      threads.emplace_back([&gpu, &failed] {
        for (int i = 0; i < 20; ++i) {
          for (const ReadingResult& answer : read_all(*gpu)) failed += answer.error.has_value();
        }
      });
    }
  }
  EXPECT_EQ(failures, std::vector<int>(4));
}

}  // namespace
}  // namespace ergon::device
