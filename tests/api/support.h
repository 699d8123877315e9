#pragma once

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fake_nvml.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// The JSON document of a command of the program.
inline nlohmann::json program_json(const std::string& arguments) {
  const auto ran = run_shell(std::string(ERGON_PROGRAMS) + "/ergon " + arguments + " --json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return nlohmann::json::parse(ran.out, nullptr, false);
}

// This process on a machine whose driver is fake-nvml, with a simulation and a lease journal of its own. One
// at a time.
class FakeDriver {
 public:
  explicit FakeDriver(const std::string& scenario_fields) {
    std::ofstream(folder_ / "scenario.json") << "{" << scenario_fields << ", \"state\": \"world\"}";
    ::setenv("ERGON_NVML", ERGON_FAKE_NVML_LIBRARY, 1);
    ::setenv("ERGON_FAKE_NVML", (folder_ / "scenario.json").c_str(), 1);
    ::setenv("ERGON_STATE", (folder_ / "leases").c_str(), 1);
  }
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;
  ~FakeDriver() {
    for (const char* const name : {"ERGON_NVML", "ERGON_FAKE_NVML", "ERGON_STATE"}) ::unsetenv(name);
  }

  // Exact values of GPU 0. Contract: a device was found.
  static ErgonFakeNvmlTruth truth() {
    ErgonFakeNvmlTruth truth{};
    EXPECT_EQ(call<decltype(ergon_fake_nvml_truth)>("ergon_fake_nvml_truth")(0, &truth), 0);
    return truth;
  }
  static ErgonFakeNvmlClocks clocks() {
    ErgonFakeNvmlClocks clocks{};
    EXPECT_EQ(call<decltype(ergon_fake_nvml_clocks)>("ergon_fake_nvml_clocks")(0, &clocks), 0);
    return clocks;
  }

 private:
  template <typename Function>
  static Function* call(const char* name) {
    void* const library = ::dlopen(ERGON_FAKE_NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function*>(::dlsym(library, name));
  }

  TemporaryFolder folder_;
};

}  // namespace ergon::test
