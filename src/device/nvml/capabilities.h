#pragma once

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// What works on a GPU, found by reading everything once and writing nothing. `device` is the GPU's own.
// Errors: a lost GPU, and nothing else.
Result<Capabilities> probe(const Gpu& gpu, Device& device);

}  // namespace ergon::device::nvml
