#pragma once

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "device/nvml/find.h"
#include "fake-nvml/fake_nvml.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// A machine whose driver is fake-nvml, with its own simulation. Only one at a time: the library reads its
// scenario from the environment.
class FakeMachine {
 public:
  enum class Driver { current, old };

  // Scenario format: docs/fake-nvml.md.
  explicit FakeMachine(const std::string& scenario, Driver driver = Driver::current)
      : path_(std::string(ERGON_FAKE_NVML_FOLDER) + (driver == Driver::old ? "/old" : "") +
              "/libnvidia-ml.so.1"),
        // Unloading would make its permanent state look like a leak.
        library_(::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
    if (library_ == nullptr) ADD_FAILURE() << ::dlerror();
    const auto file = folder_ / "scenario.json";
    if (!write_file(file, scenario)) ADD_FAILURE() << "no scenario";
    ::setenv("ERGON_FAKE_NVML", file.c_str(), 1);
    ::setenv("ERGON_FAKE_NVML_STATE", (folder_ / "state").c_str(), 1);
  }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;
  ~FakeMachine() {
    ::unsetenv("ERGON_FAKE_NVML");
    ::unsetenv("ERGON_FAKE_NVML_STATE");
    if (library_ != nullptr) ::dlclose(library_);
  }

  Result<device::FoundDevices> find() const { return device::nvml::find_devices(path_); }

  // Any function of the library. Valid only while one of the devices exists.
  template <typename Function, typename... Arguments>
  auto call(const char* symbol, Arguments... arguments) const {
    return reinterpret_cast<Function*>(::dlsym(library_, symbol))(arguments...);
  }

  void advance(double seconds) const {
    EXPECT_EQ(call<decltype(ergon_fake_nvml_advance)>("ergon_fake_nvml_advance", seconds), 0);
  }
  void run(unsigned gpu, const char* network, long long batch) const {
    const ErgonFakeNvmlLoad load{network, batch, "fp32", "inference", 0};
    EXPECT_EQ(call<decltype(ergon_fake_nvml_run)>("ergon_fake_nvml_run", gpu, &load), 0);
  }
  ErgonFakeNvmlTruth truth(unsigned gpu) const {
    ErgonFakeNvmlTruth truth{};
    EXPECT_EQ(call<decltype(ergon_fake_nvml_truth)>("ergon_fake_nvml_truth", gpu, &truth), 0);
    return truth;
  }
  ErgonFakeNvmlClocks clocks(unsigned gpu) const {
    ErgonFakeNvmlClocks clocks{};
    EXPECT_EQ(call<decltype(ergon_fake_nvml_clocks)>("ergon_fake_nvml_clocks", gpu, &clocks), 0);
    return clocks;
  }

  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
  void* library_;
};

// One GPU with manual time. `more`: further fields of the scenario, each preceded by a comma.
inline std::string one_gpu(const std::string& twin, const std::string& more = "") {
  return R"({"devices": [")" + twin + R"("], "time": "manual")" + more + "}";
}

}  // namespace ergon::test
