#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::test {

// A machine whose driver is fake-nvml, with a scenario of its own; the real programs run on it.
class FakeHost {
 public:
  explicit FakeHost(const std::string& scenario_fields) {
    std::ofstream(folder_ / "scenario.json") << "{" << scenario_fields << ", \"state\": \"world\"}";
  }

  ProcessResult run(const std::string& command) const {
    const std::string programs = ERGON_PROGRAMS;
    return run_shell("PATH=" + programs + ":$PATH; " + command, folder_.path().string(),
                     {{"ERGON_NVML", programs + "/../fake-nvml/libnvidia-ml.so.1"},
                      {"ERGON_FAKE_NVML", (folder_ / "scenario.json").string()},
                      {"ERGON_STATE", (folder_ / "state").string()}});
  }
  nlohmann::json json(const std::string& command) const {
    return nlohmann::json::parse(run(command).out, nullptr, false);
  }
  // What the GPU is really at.
  nlohmann::json gpu() const { return json("fake-gpu status --json")["gpus"][0]; }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

// Clocks and limit of a V100, and those of a measurement at 900 MHz and 180 W, as fake-gpu reports them.
inline bool is_free(const nlohmann::json& gpu) {
  return gpu["locked_core"].is_null() && gpu["limit_watts"] == 250.0;
}
inline bool is_held(const nlohmann::json& gpu) {
  return !gpu["locked_core"].is_null() && gpu["limit_watts"] == 180.0;
}

}  // namespace ergon::test
