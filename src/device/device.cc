#include "device/device.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::device {
namespace {

Error unsupported_reading(const Device& device, std::string_view what) {
  return fail(Errc::unsupported, "{} ({}) has no {}", device.identity().id, device.identity().name, what);
}

}  // namespace

std::string_view name_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::nvml:
      return "nvml";
    case DeviceKind::rapl:
      return "rapl";
    case DeviceKind::twin:
      return "twin";
  }
  return "?";
}

std::string_view name_of(PowerField field) {
  switch (field) {
    case PowerField::usage:
      return "usage";
    case PowerField::average:
      return "average";
    case PowerField::instant:
      return "instant";
    case PowerField::samples:
      return "samples";
  }
  return "?";
}

std::string_view name_of(ClockDomain domain) { return domain == ClockDomain::core ? "core" : "memory"; }

std::string_view name_of(Control control) {
  switch (control) {
    case Control::power_limit:
      return "power_limit";
    case Control::core_clock:
      return "core_clock";
    case Control::memory_clock:
      return "memory_clock";
  }
  return "?";
}

std::vector<std::string> EventReasons::names() const {
  static constexpr std::pair<std::uint64_t, std::string_view> kNames[] = {
      {kIdle, "idle"},
      {kApplicationClocks, "application_clocks"},
      {kPowerCap, "power_cap"},
      {kHardwareSlowdown, "hardware_slowdown"},
      {kSyncBoost, "sync_boost"},
      {kSoftwareHeat, "software_heat"},
      {kHardwareHeat, "hardware_heat"},
      {kPowerBrake, "power_brake"},
      {kDisplayClocks, "display_clocks"},
  };
  std::vector<std::string> names;
  std::uint64_t rest = bits_;
  for (const auto& [bit, name] : kNames) {
    if (has(bit)) names.emplace_back(name);
    rest &= ~bit;
  }
  if (rest != 0) names.push_back(fmt::format("reason_{:#x}", rest));
  return names;
}

bool Capabilities::has(PowerField field) const {
  return std::find(power.begin(), power.end(), field) != power.end();
}

Result<Watts> Device::power(PowerField field) {
  return unsupported_reading(*this, fmt::format("power reading \"{}\"", name_of(field)));
}
Result<std::vector<PowerSample>> Device::power_samples(Timestamp) {
  return unsupported_reading(*this, "buffer of power samples");
}
Result<Joules> Device::energy_counter() { return unsupported_reading(*this, "energy counter"); }
Result<Hertz> Device::clock(ClockDomain domain) {
  return unsupported_reading(*this, fmt::format("{} clock", name_of(domain)));
}
Result<std::vector<Hertz>> Device::supported_clocks(ClockDomain domain) {
  return unsupported_reading(*this, fmt::format("list of {} clocks", name_of(domain)));
}
Result<Celsius> Device::temperature() { return unsupported_reading(*this, "temperature"); }
Result<Celsius> Device::memory_temperature() { return unsupported_reading(*this, "memory temperature"); }
Result<GpuUtilization> Device::utilization() { return unsupported_reading(*this, "utilization"); }
Result<MemoryUse> Device::memory() { return unsupported_reading(*this, "memory information"); }
Result<EventReasons> Device::event_reasons() { return unsupported_reading(*this, "event reasons"); }
Result<std::vector<Process>> Device::processes() { return unsupported_reading(*this, "list of processes"); }
Result<PowerLimits> Device::power_limits() { return unsupported_reading(*this, "power limit"); }

}  // namespace ergon::device
