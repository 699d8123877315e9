#pragma once

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Finds the supported readings of a GPU by reading each once; writes nothing. `device` is the Device of this
// GPU. Errors: device_lost only.
Result<Capabilities> probe(const Gpu& gpu, Device& device);

}  // namespace ergon::device::nvml
