#pragma once

#include <chrono>
#include <dlfcn.h>
#include <filesystem>
#include <ostream>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "device/nvml/abi.h"
#include "fake_nvml.h"

namespace ergon::test {

namespace nvml = device::nvml;
using nvml::Return;

inline std::ostream& operator<<(std::ostream& out, Return result) { return out << static_cast<int>(result); }

// The library of the build, loaded like a client does.
inline void* fake_library() {
  static void* const library = dlopen(ERGON_FAKE_NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library;
}

template <typename Function>
Function* symbol(const char* name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(fake_library(), name));
  EXPECT_NE(found, nullptr) << name;
  return found;
}

// NVML(DeviceGetName)(device, ...) calls nvmlDeviceGetName; OWN(run)(...) calls ergon_fake_nvml_run.
#define NVML(name) (::ergon::test::symbol<::ergon::device::nvml::name>("nvml" #name))
#define OWN(name) (::ergon::test::symbol<decltype(ergon_fake_nvml_##name)>("ergon_fake_nvml_" #name))

// A simulated machine for one test: scenario and state in a temporary folder. The environment names them, for
// this process and its children. Only one at a time.
class Machine {
 public:
  // Calls nvmlInit unless `initialize` is false.
  explicit Machine(const std::string& scenario, bool initialize = true);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path log() const { return folder_ / "state" / "world.log"; }
  void write_scenario(const std::string& scenario) const;

  nvml::DeviceHandle device(unsigned index = 0) const;
  // Readings; the test fails if a call fails.
  unsigned power_mw(unsigned index = 0) const;
  unsigned long long energy_mj(unsigned index = 0) const;
  unsigned core_mhz(unsigned index = 0) const;
  ErgonFakeNvmlTruth truth(unsigned index = 0) const;
  std::vector<unsigned> processes(unsigned index = 0) const;

 private:
  std::filesystem::path folder_;
};

// A load, until stopped or for a number of iterations.
ErgonFakeNvmlLoad resnet(long long batch = 64, long long iterations = 0);

// A background process: fake-gpu with these arguments.
class BackgroundProcess {
 public:
  explicit BackgroundProcess(const std::vector<std::string>& arguments);
  BackgroundProcess(const BackgroundProcess&) = delete;
  BackgroundProcess& operator=(const BackgroundProcess&) = delete;
  ~BackgroundProcess();  // kills it if it still runs

  pid_t pid() const { return pid_; }
  void kill();  // sends SIGKILL and does not wait
  int wait();   // waits for its end and returns the exit code

 private:
  pid_t pid_;
  bool waited_ = false;
};

// Polls a condition for up to a few seconds.
template <typename Condition>
bool eventually(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace ergon::test
