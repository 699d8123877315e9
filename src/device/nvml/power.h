#pragma once

#include <vector>

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Errors: unsupported for a reading of 0 W, which products without a sensor report.
Result<Watts> power(const Gpu& gpu, PowerField field);

// Samples newer than `since`, oldest first.
Result<std::vector<PowerSample>> power_samples(const Gpu& gpu, Timestamp since);

Result<std::uint64_t> energy_mj(const Gpu& gpu);
Result<PowerLimits> power_limits(const Gpu& gpu);
Result<Watts> power_limit(const Gpu& gpu);

}  // namespace ergon::device::nvml
