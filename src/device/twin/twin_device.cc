#include "device/twin/twin_device.h"

#include <cmath>

#include "device/twin/clock_grid.h"

namespace ergon::device {

Identity identity_of(const Specification& gpu) {
  return {gpu.name, twin_uuid(gpu.name), gpu.title, DeviceKind::twin};
}

Capabilities capabilities_of(const Specification& gpu) {
  Capabilities all;
  for (const PowerField field :
       {PowerField::usage, PowerField::average, PowerField::instant, PowerField::samples}) {
    for (const SensorModel& sensor : gpu.sensors) {
      if (sensor.answers(name_of(field))) all.power.push_back(field);
    }
  }
  all.energy_counter = gpu.energy_counter_period.has_value();
  all.core_clock = all.supported_clocks = all.temperature = all.event_reasons = all.power_limit = true;
  all.set_power_limit = all.lock_core_clock = true;
  return all;
}

TwinDevice::TwinDevice(Twin& twin, Timestamp epoch)
    : twin_(twin),
      epoch_(epoch),
      identity_(identity_of(twin.specification())),
      capabilities_(capabilities_of(twin.specification())) {}

Result<Watts> TwinDevice::power(PowerField field) { return twin_.power(name_of(field)); }

Result<std::vector<PowerSample>> TwinDevice::power_samples(Timestamp since) {
  const auto history = twin_.history(name_of(PowerField::samples));
  if (!history) return history.error();
  std::vector<PowerSample> samples;
  for (const Twin::PowerUpdate& update : *history) {
    const Timestamp at{epoch_.ns + std::llround(update.at.si() * 1e9)};
    if (at > since) samples.push_back({at, update.power});
  }
  return samples;
}

Result<Hertz> TwinDevice::clock(ClockDomain domain) {
  if (domain != ClockDomain::core) return Device::clock(domain);
  return twin_.clock();
}

Result<std::vector<Hertz>> TwinDevice::supported_clocks(ClockDomain domain) {
  if (domain != ClockDomain::core) return Device::supported_clocks(domain);
  const ClockGrid grid(twin_.specification().core);
  std::vector<Hertz> clocks;
  for (std::size_t step = 0; step < grid.size(); ++step) clocks.push_back(grid.at(step));
  return clocks;
}

Result<EventReasons> TwinDevice::event_reasons() {
  std::uint64_t bits = 0;
  if (!twin_.running()) bits |= EventReasons::kIdle;
  if (twin_.locked_clock()) bits |= EventReasons::kApplicationClocks;
  if (twin_.throttle().power) bits |= EventReasons::kPowerCap;
  if (twin_.throttle().heat) bits |= EventReasons::kSoftwareHeat;
  return EventReasons(bits);
}

Result<PowerLimits> TwinDevice::power_limits() {
  const PowerLimitModel& limit = twin_.specification().limit;
  return PowerLimits{twin_.limit(), limit.default_limit, limit.min, limit.max};
}

}  // namespace ergon::device
