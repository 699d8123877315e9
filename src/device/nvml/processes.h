#pragma once

#include <vector>

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Processes with a compute, graphics or MPS context, without duplicates, sorted by pid.
Result<std::vector<Process>> processes(const Gpu& gpu);

}  // namespace ergon::device::nvml
