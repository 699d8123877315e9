#pragma once

#include <optional>

#include "base/units.h"
#include "device/device.h"

namespace ergon::device {

// Readings outside of these ranges are faults of a sensor or a driver. All ranges include their bounds.

// Power from 0 to 1.5 times the highest power limit: boards exceed their limit for milliseconds. Without
// limits, up to 5 kW, which is above every board.
Watts max_plausible_power(const std::optional<PowerLimits>& limits);

// -40 to 150 degrees Celsius.
bool is_plausible(Celsius temperature);

// 0 to 10 GHz.
bool is_plausible(Hertz clock);

// Shares between 0 and 1.
bool is_plausible(const GpuUtilization& utilization);

// Not more used than there is.
bool is_plausible(const MemoryUse& memory);

}  // namespace ergon::device
