#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "device/nvml/find.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// This process on a machine whose driver is fake-nvml, with a world of its own. One at a time: the library
// finds its scenario through the environment.
class FakeDriver {
 public:
  explicit FakeDriver(const std::string& scenario_fields) {
    std::ofstream(folder_ / "scenario.json") << "{" << scenario_fields << ", \"state\": \"world\"}";
    ::setenv("ERGON_NVML", library().c_str(), 1);
    ::setenv("ERGON_FAKE_NVML", (folder_ / "scenario.json").c_str(), 1);
    auto found = device::nvml::find_devices();
    if (!found || found->devices.empty()) {
      ADD_FAILURE() << "no GPU";
    } else {
      found_ = std::move(*found);
    }
  }
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;
  ~FakeDriver() {
    ::unsetenv("ERGON_NVML");
    ::unsetenv("ERGON_FAKE_NVML");
  }

  static std::string library() { return std::string(ERGON_PROGRAMS) + "/../fake-nvml/libnvidia-ml.so.1"; }
  device::Device& gpu() const { return *found_.devices.front(); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  device::FoundDevices found_;
};

}  // namespace ergon::test
