#pragma once

#include <filesystem>

#include "device/device.h"

namespace ergon::device::rapl {

// Where Linux shows what is read here; a test has its own.
struct Places {
  std::filesystem::path powercap = "/sys/class/powercap";
  std::filesystem::path machine_id = "/etc/machine-id";
  std::filesystem::path processors = "/proc/cpuinfo";
};

// The processors' packages ("cpu0") and their memories ("dram0"), each with an energy counter and nothing
// else. Parts of a package (core, uncore) and the sum over a whole platform (psys) are not devices: adding
// devices up must count nothing twice. A machine without these counters has no devices and no problem;
// counters that this user may not read are one problem, which says what to do.
//
// A counter starts again at 0 after its range, which a busy server passes in minutes (262 kJ on most, 65 kJ
// on AMD). Wraps are accounted for as long as a device is asked more often than that.
Found find_devices(const Places& places = {});

}  // namespace ergon::device::rapl
