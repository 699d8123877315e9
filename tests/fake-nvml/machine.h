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

// The library of the build, opened as a client opens it.
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

// A machine of its own for a test: a scenario and a state in a folder that goes with it. The environment
// names them, for this process and its children. One at a time.
class Machine {
 public:
  // Not initialised where `initialise` is false.
  explicit Machine(const std::string& scenario, bool initialise = true);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path log() const { return folder_ / "state" / "world.log"; }
  void write_scenario(const std::string& scenario) const;

  nvml::DeviceHandle device(unsigned index = 0) const;
  // Whole answers; the test fails where there is none.
  unsigned power_mw(unsigned index = 0) const;
  unsigned long long energy_mj(unsigned index = 0) const;
  unsigned core_mhz(unsigned index = 0) const;
  ErgonFakeNvmlTruth truth(unsigned index = 0) const;
  std::vector<unsigned> processes(unsigned index = 0) const;

 private:
  std::filesystem::path folder_;
};

// Work until it is stopped, or so many iterations.
ErgonFakeNvmlLoad resnet(long long batch = 64, long long iterations = 0);

// A program that runs beside the test: fake-gpu with these arguments.
class Beside {
 public:
  explicit Beside(const std::vector<std::string>& arguments);
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside();  // kills it, where it still runs

  pid_t pid() const { return pid_; }
  void kill();  // at once, and does not wait
  int wait();   // for its end; the exit code

 private:
  pid_t pid_;
  bool waited_ = false;
};

// Asks again and again, for some seconds at most.
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
