#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/twin/specification.h"
#include "fault.h"
#include "load_spec.h"

namespace ergon::fake_nvml {

// Controls that a scenario can permit.
enum class Permission : std::uint8_t {
  power_limit,
  core_clock,
  memory_clock,
  application_clocks,
  persistence
};

struct PciAddress {
  unsigned domain = 0, bus = 0, device = 0;
};

// One GPU of the simulated machine.
struct DeviceSlot {
  device::Specification gpu;
  std::uint64_t seed = 0;
  std::string uuid, serial;
  PciAddress pci;
  std::string file;  // content of the device file; empty for built-in twins
};

// Load of a process that is not listed, periodically on and off from time 0.
struct Background {
  std::size_t gpu = 0;
  LoadSpec load;
  std::optional<Seconds> on, off;  // both absent: always on
};

// Maximum number of GPUs.
inline constexpr std::size_t kMaxDevices = 64;

// Description of the simulated machine.
struct Scenario {
  std::vector<DeviceSlot> slots;
  std::string driver = "580.159.04";
  int cuda = 13000;  // 13.0
  bool manual_time = false;
  std::size_t sockets = 1;  // among which GPUs and CPUs are divided
  std::optional<std::filesystem::path> state;
  std::set<Permission> permissions;
  std::set<std::string> absent;  // functions that the driver does not export
  std::vector<Background> background;
  Faults faults;
  // Hash of the content. Processes that share a simulation must have the same.
  std::uint64_t digest = 0;
  // Hash of the file path; 0 for the default scenario.
  std::uint64_t path_digest = 0;
};

// Paths in the scenario are relative to the folder of `source`. Errors name the source and the field; unknown
// fields are errors.
Result<Scenario> parse_scenario(std::string_view json, const std::string& source);
// One H200 with all permissions.
Scenario default_scenario();

// The scenario file in ERGON_FAKE_NVML, or the default scenario.
Result<Scenario> scenario_of_environment();
// The state folder: of the scenario, else ERGON_FAKE_NVML_STATE, else a temporary folder named after the
// scenario path and the user.
std::filesystem::path state_folder(const Scenario& scenario);

}  // namespace ergon::fake_nvml
