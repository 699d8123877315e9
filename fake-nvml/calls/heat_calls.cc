// Temperature and fans.

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::TemperatureThreshold;

int slowdown_degrees(const GpuCall& at) { return static_cast<int>(at.slot.gpu.thermal.slowdown.degrees()); }

std::optional<int> degrees(const GpuCall& at) {
  const auto temperature = at.library.read(at, SensorField::temperature);
  if (!temperature) return std::nullopt;
  return static_cast<int>(*temperature);
}

}  // namespace

Return nvmlDeviceGetTemperature(DeviceHandle device, nvml::TemperatureSensor sensor, unsigned* out) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (out == nullptr || sensor != nvml::TemperatureSensor::gpu) return Return::invalid_argument;
    const auto now = degrees(at);
    if (!now) return Return::not_supported;
    *out = static_cast<unsigned>(*now);
    return Return::success;
  });
}

Return nvmlDeviceGetTemperatureV(DeviceHandle device, nvml::Temperature* temperature) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (temperature == nullptr || temperature->sensor != nvml::TemperatureSensor::gpu)
      return Return::invalid_argument;
    if (temperature->version != nvml::version_of<nvml::Temperature>(1))
      return Return::argument_version_mismatch;
    const auto now = degrees(at);
    if (!now) return Return::not_supported;
    temperature->degrees = *now;
    return Return::success;
  });
}

// The twin has one threshold, its slowdown temperature. The others have the same distance to it as on an
// H200.
Return nvmlDeviceGetTemperatureThreshold(DeviceHandle device, TemperatureThreshold threshold, unsigned* out) {
  constexpr int kSlowdown = 2, kShutdown = 8;
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (out == nullptr || threshold < TemperatureThreshold::shutdown ||
        threshold > TemperatureThreshold::gps_current) {
      return Return::invalid_argument;
    }
    switch (threshold) {
      case TemperatureThreshold::gpu_max:
        *out = static_cast<unsigned>(slowdown_degrees(at));
        break;
      case TemperatureThreshold::slowdown:
        *out = static_cast<unsigned>(slowdown_degrees(at) + kSlowdown);
        break;
      case TemperatureThreshold::shutdown:
        *out = static_cast<unsigned>(slowdown_degrees(at) + kShutdown);
        break;
      default:
        return Return::not_supported;
    }
    return Return::success;
  });
}

Return nvmlDeviceGetMarginTemperature(DeviceHandle device, nvml::MarginTemperature* margin) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (margin == nullptr) return Return::invalid_argument;
    if (margin->version != nvml::version_of<nvml::MarginTemperature>(1))
      return Return::argument_version_mismatch;
    const auto now = degrees(at);
    if (!now) return Return::not_supported;
    margin->degrees = slowdown_degrees(at) - *now;
    return Return::success;
  });
}

// No fans, like server boards.
Return nvmlDeviceGetNumFans(DeviceHandle device, unsigned* count) {
  return give(__func__, device, count, [](const GpuCall&) { return 0U; });
}
Return nvmlDeviceGetFanSpeed(DeviceHandle device, unsigned* percent) {
  return give(__func__, device, percent,
              [](const GpuCall&) -> std::optional<unsigned> { return std::nullopt; });
}
Return nvmlDeviceGetFanSpeed_v2(DeviceHandle device, unsigned, unsigned*) {
  return Library::here().call(__func__, device, [](const GpuCall&) { return Return::invalid_argument; });
}

}  // namespace ergon::fake_nvml
