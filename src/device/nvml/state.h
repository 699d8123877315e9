#pragma once

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Clocks, temperatures, utilization, memory and event reasons.
Result<Hertz> clock(const Gpu& gpu, ClockDomain domain);
Result<Celsius> temperature(const Gpu& gpu);
Result<Celsius> memory_temperature(const Gpu& gpu);
Result<GpuUtilization> utilization(const Gpu& gpu);
Result<MemoryUse> memory_use(const Gpu& gpu);
Result<EventReasons> event_reasons(const Gpu& gpu);

}  // namespace ergon::device::nvml
