#pragma once

#include <vector>

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Everybody who has a context, computing or drawing, once and by pid.
Result<std::vector<Process>> processes(const Gpu& gpu);

}  // namespace ergon::device::nvml
