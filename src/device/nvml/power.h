#pragma once

#include <vector>

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// No GPU that answers draws 0 W: products without a sensor are known to say so, and are unsupported here.
Result<Watts> power(const Gpu& gpu, PowerField field);

// Oldest first, none at or before `since`.
Result<std::vector<PowerSample>> power_samples(const Gpu& gpu, Timestamp since);

Result<std::uint64_t> energy_mj(const Gpu& gpu);
Result<PowerLimits> power_limits(const Gpu& gpu);
Result<Watts> power_limit(const Gpu& gpu);

}  // namespace ergon::device::nvml
