#pragma once

#include <filesystem>

#include "device/device.h"

namespace ergon::device::rapl {

// Files of the operating system; tests pass their own.
struct RaplPaths {
  std::filesystem::path powercap = "/sys/class/powercap";
  std::filesystem::path machine_id = "/etc/machine-id";
  std::filesystem::path processors = "/proc/cpuinfo";
};

// Processor packages ("cpu0") and their memories ("dram0"). Each has an energy counter and no other readings.
// Parts of a package (core, uncore) and the platform total (psys) are not devices, so that the energies of
// all devices can be added. A machine without RAPL has no devices and no problems. Counters that this user
// may not read are reported as one problem, with instructions.
//
// A counter wraps to 0 after its range, which a busy server passes in minutes (262 kJ on most processors, 65
// kJ on AMD). Wraps are handled if the device is read more often than that.
FoundDevices find_devices(const RaplPaths& paths = {});

}  // namespace ergon::device::rapl
