#pragma once

#include "device/device.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// The readings of Device that are no power and no list.
Result<Hertz> clock(const Gpu& gpu, ClockDomain domain);
Result<Celsius> temperature(const Gpu& gpu);
Result<Celsius> memory_temperature(const Gpu& gpu);
Result<Utilisation> utilisation(const Gpu& gpu);
Result<MemoryUse> memory_use(const Gpu& gpu);
Result<EventReasons> event_reasons(const Gpu& gpu);

}  // namespace ergon::device::nvml
