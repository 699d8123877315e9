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
#include "load_name.h"

namespace ergon::fake_nvml {

// What a user may be allowed to change.
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

// One GPU of the machine.
struct Seat {
  device::Specification gpu;
  std::uint64_t seed = 0;
  std::string uuid, serial;
  PciAddress pci;
  std::string file;  // the text of the device's file, where it has one
};

// Work of somebody who is not seen: so long on, so long off, again and again, from the beginning of the
// world.
struct Background {
  std::size_t gpu = 0;
  LoadName load;
  std::optional<Seconds> on, off;  // neither: without a pause
};

// GPUs of one machine.
inline constexpr std::size_t kMostDevices = 64;

// The machine that a client of the library finds.
struct Scenario {
  std::vector<Seat> seats;
  std::string driver = "580.159.04";
  int cuda = 13000;  // 13.0
  bool manual_time = false;
  std::optional<std::filesystem::path> state;
  std::set<Permission> permissions;
  std::set<std::string> absent;  // functions that the driver does not have
  std::vector<Background> background;
  Faults faults;
  // Equal for equal scenarios: what processes that share a world must agree on.
  std::uint64_t digest = 0;
  // Of the file it was read from; 0 for the usual one.
  std::uint64_t place = 0;
};

// Files that it names are looked for beside `source`, the file it comes from. Errors name the source and the
// field; a field that means nothing is one.
Result<Scenario> parse_scenario(std::string_view json, const std::string& source);
// One H200 on which everything is allowed.
Scenario usual_scenario();

// The scenario that the environment names: a file in ERGON_FAKE_NVML, or the usual one.
Result<Scenario> scenario_of_environment();
// Where its state is: what the scenario says, else ERGON_FAKE_NVML_STATE, else a folder for temporary files
// that follows from the scenario and the user.
std::filesystem::path state_folder(const Scenario& scenario);

}  // namespace ergon::fake_nvml
