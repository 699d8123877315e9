#pragma once

#include <optional>

#include "base/timestamp.h"
#include "base/units.h"
#include "device/device.h"

namespace ergon::service {

// One reading of all values of a GPU, twin or processor. Values the device does not provide are empty.
struct GpuReading {
  device::Identity identity;
  bool simulated = false;
  Timestamp at;  // start of the reading
  std::optional<Watts> power;
  std::optional<Joules> energy;
  std::optional<Hertz> core_clock, memory_clock;
  std::optional<Celsius> temperature, memory_temperature;
  std::optional<device::GpuUtilization> utilization;
  std::optional<device::MemoryUse> memory;
  std::optional<Watts> power_limit;
  std::optional<device::EventReasons> event_reasons;
  int implausible = 0;      // values that were read and omitted, because no working sensor reports them
  bool responding = false;  // at least one value was read and the device is not lost
};

// Reads the values that the device's capabilities name. Power is the first field that can be read of instant,
// usage, samples, average. Values outside the ranges of device/plausible.h are omitted. If the device is
// lost, reading stops and all values are empty. Blocks as long as the driver does.
GpuReading read(device::Device& device, Timestamp now);

// Identity without values. Does not call the driver.
GpuReading empty_reading(const device::Device& device);
// Identity and time of a reading, without values.
GpuReading cleared_reading(const GpuReading& reading);

}  // namespace ergon::service
