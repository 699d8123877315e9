// Behavior of the library as a whole; abi_test.c tests the single calls.

#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "functions.h"
#include "machine.h"

namespace ergon::test {
namespace {

TEST(FakeNvmlProtocol, AForkedChildMustInitialize) {
  const Machine machine("{}");
  const pid_t child = fork();
  if (child == 0) {
    unsigned count = 0;
    const bool expires = NVML(DeviceGetCount_v2)(&count) == Return::uninitialized;
    const bool again =
        NVML(Init_v2)() == Return::success && NVML(DeviceGetCount_v2)(&count) == Return::success;
    _exit(expires && again ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_GT(machine.power_mw(), 0U);
}

TEST(FakeNvmlProtocol, HandlesOutliveShutdown) {
  const Machine machine("{}");
  nvml::DeviceHandle const handle = machine.device();
  EXPECT_EQ(NVML(Shutdown)(), Return::success);
  unsigned power = 0;
  EXPECT_EQ(NVML(DeviceGetPowerUsage)(handle, &power), Return::uninitialized);
  EXPECT_EQ(NVML(Init_v2)(), Return::success);
  EXPECT_EQ(NVML(DeviceGetPowerUsage)(handle, &power), Return::success);
}

TEST(FakeNvmlProtocol, ThreadsMayCallAtOnce) {
  const Machine machine(R"({"devices": ["h200", "v100"]})");
  std::vector<std::thread> threads;
  std::vector<int> failures(4);
  for (int& failed : failures) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        unsigned power = 0;
        if (NVML(DeviceGetPowerUsage)(machine.device(i % 2), &power) != Return::success || power == 0)
          ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<int>(4, 0));
}

TEST(FakeNvmlProtocol, WorksWithoutDevices) {
  const Machine machine(R"({"devices": []})");
  unsigned count = 7;
  EXPECT_EQ(NVML(DeviceGetCount_v2)(&count), Return::success);
  EXPECT_EQ(count, 0U);
  nvml::DeviceHandle handle = nullptr;
  EXPECT_EQ(NVML(DeviceGetHandleByIndex_v2)(0, &handle), Return::invalid_argument);
}

TEST(FakeNvmlProtocol, HasTheDevicesOfTheScenario) {
  const Machine machine(R"({"driver": "470.57", "cuda": "11.4", "devices": [
      {"twin": "p40", "uuid": "GPU-mine", "serial": "4711", "pci": "0001:3b:00.0"}, "v100"]})");
  nvml::DeviceHandle first = nullptr, same = nullptr;
  EXPECT_EQ(NVML(DeviceGetHandleByUUID)("GPU-mine", &first), Return::success);
  EXPECT_EQ(NVML(DeviceGetHandleBySerial)("4711", &same), Return::success);
  EXPECT_EQ(first, same);
  EXPECT_EQ(NVML(DeviceGetHandleByPciBusId_v2)("0001:3B:00.0", &same), Return::success);
  EXPECT_EQ(first, same);
  char text[nvml::kNameSize];
  EXPECT_EQ(NVML(DeviceGetName)(first, text, sizeof text), Return::success);
  EXPECT_STREQ(text, "Tesla P40");
  EXPECT_EQ(NVML(SystemGetNVMLVersion)(text, sizeof text), Return::success);
  EXPECT_STREQ(text, "11.470.57");

  unsigned long long energy = 0;
  EXPECT_EQ(NVML(DeviceGetTotalEnergyConsumption)(first, &energy), Return::not_supported);
  EXPECT_EQ(NVML(DeviceGetTotalEnergyConsumption)(machine.device(1), &energy), Return::success);
  nvml::FieldValue instant{.field = nvml::field::kPowerInstant};
  EXPECT_EQ(NVML(DeviceGetFieldValues)(first, 1, &instant), Return::success);
  EXPECT_EQ(instant.status, Return::invalid_argument);  // the driver is older than the field
}

TEST(FakeNvmlProtocol, AbsentFunctionsAreNotFound) {
  const Machine machine(R"({"absent": ["nvmlDeviceGetFieldValues"]})");
  nvml::FieldValue value{.field = nvml::field::kPowerInstant};
  EXPECT_EQ(NVML(DeviceGetFieldValues)(machine.device(), 1, &value), Return::function_not_found);
  EXPECT_GT(machine.power_mw(), 0U);
}

TEST(FakeNvmlProtocol, AnOldDriverHasFewerSymbols) {
  void* const old = dlopen(ERGON_FAKE_NVML_OLD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(old, nullptr) << dlerror();
  for (const char* const there : {"nvmlInit", "nvmlDeviceGetHandleByIndex", "nvmlDeviceGetPowerUsage",
                                  "nvmlDeviceSetApplicationsClocks", "nvmlDeviceGetSamples"}) {
    EXPECT_NE(dlsym(old, there), nullptr) << there;
  }
  for (const char* const gone :
       {"nvmlInit_v2", "nvmlInitWithFlags", "nvmlDeviceGetCount_v2", "nvmlDeviceGetFieldValues",
        "nvmlDeviceSetGpuLockedClocks", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetMemoryInfo_v2",
        "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetCurrentClocksEventReasons"}) {
    EXPECT_EQ(dlsym(old, gone), nullptr) << gone;
  }
  dlclose(old);
}

TEST(FakeNvmlProtocol, ExportsEveryFunction) {
  EXPECT_GT(fake_nvml::function_names().size(), 400U);
  for (const std::string& name : fake_nvml::function_names()) {
    EXPECT_NE(dlsym(fake_library(), name.c_str()), nullptr) << name;
  }
}

TEST(FakeNvmlProtocol, ExportsOnlyTheInterface) {
  EXPECT_EQ(dlsym(fake_library(), "_ZN5ergon9fake_nvml7Library4hereEv"), nullptr);
}

}  // namespace
}  // namespace ergon::test
