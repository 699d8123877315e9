#pragma once

#include <string>

#include "device/device.h"

namespace ergon::device::nvml {

// The GPUs of this machine. NVML is loaded from `library`; if that is empty, from the path in $ERGON_NVML,
// else from the driver's libnvidia-ml.so.1. It stays loaded while any of the devices exists.
//
// Errors: no library, a library that is not NVML, a driver that is not running. A running driver without GPUs
// returns no devices. A GPU that cannot be opened is reported in FoundDevices::problems.
Result<FoundDevices> find_devices(const std::string& library = "");

}  // namespace ergon::device::nvml
