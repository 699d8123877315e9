#pragma once

#include <optional>

#include "base/timestamp.h"
#include "base/units.h"
#include "device/device.h"

namespace ergon::service {

// One look at a device, processors included. What the device does not tell is absent.
struct GpuReading {
  device::Identity identity;
  bool simulated = false;
  Timestamp at;  // when the look began
  std::optional<Watts> power;
  std::optional<Joules> energy;
  std::optional<Hertz> core_clock, memory_clock;
  std::optional<Celsius> temperature, memory_temperature;
  std::optional<device::Utilisation> utilisation;
  std::optional<device::MemoryUse> memory;
  std::optional<Watts> power_limit;
  std::optional<device::EventReasons> event_reasons;
  bool answers = false;  // something was told, and nothing said that the device is lost
};

// Asks for what the device's capabilities name, and nothing else. Of the power fields the first that answers
// counts: instant, usage, samples, average. One that is lost is not asked any further, and all is absent.
// Takes as long as the driver does.
GpuReading read(device::Device& device, Timestamp now);

// Who the device is, and nothing more: asks no driver.
GpuReading unread(const device::Device& device);
// The same of a device that was read before, and when that was.
GpuReading silent(const GpuReading& reading);

}  // namespace ergon::service
