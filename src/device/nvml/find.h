#pragma once

#include <string>

#include "device/device.h"

namespace ergon::device::nvml {

// The GPUs of this machine. NVML is loaded from `library`; where that is empty, from the path in $ERGON_NVML,
// else from the driver's libnvidia-ml.so.1. It stays loaded for as long as one of the devices lives.
//
// Errors: no library, a library that is not NVML's, a driver that is not running. A running driver without a
// GPU has no devices, and a GPU that cannot be opened is a problem of its own.
Result<Found> find_devices(const std::string& library = "");

}  // namespace ergon::device::nvml
