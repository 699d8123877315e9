// Temperature and fans.

#include "answer.h"

namespace ergon::fake_nvml {
namespace {

using nvml::TemperatureThreshold;

int highest_unhindered(const Visit& at) { return static_cast<int>(at.seat.gpu.thermal.slowdown.degrees()); }

std::optional<int> degrees(const Visit& at) {
  const auto temperature = at.library.read(at, Reading::temperature);
  if (!temperature) return std::nullopt;
  return static_cast<int>(*temperature);
}

}  // namespace

Return nvmlDeviceGetTemperature(DeviceHandle device, nvml::TemperatureSensor sensor, unsigned* out) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (out == nullptr || sensor != nvml::TemperatureSensor::gpu) return Return::invalid_argument;
    const auto now = degrees(at);
    if (!now) return Return::not_supported;
    *out = static_cast<unsigned>(*now);
    return Return::success;
  });
}

Return nvmlDeviceGetTemperatureV(DeviceHandle device, nvml::Temperature* temperature) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
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

// The twin knows one threshold, at which it slows down; the others are as far from it as on an H200.
Return nvmlDeviceGetTemperatureThreshold(DeviceHandle device, TemperatureThreshold threshold, unsigned* out) {
  constexpr int kSlowdown = 2, kShutdown = 8;
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (out == nullptr || threshold < TemperatureThreshold::shutdown ||
        threshold > TemperatureThreshold::gps_current) {
      return Return::invalid_argument;
    }
    switch (threshold) {
      case TemperatureThreshold::gpu_max:
        *out = static_cast<unsigned>(highest_unhindered(at));
        break;
      case TemperatureThreshold::slowdown:
        *out = static_cast<unsigned>(highest_unhindered(at) + kSlowdown);
        break;
      case TemperatureThreshold::shutdown:
        *out = static_cast<unsigned>(highest_unhindered(at) + kShutdown);
        break;
      default:
        return Return::not_supported;
    }
    return Return::success;
  });
}

Return nvmlDeviceGetMarginTemperature(DeviceHandle device, nvml::MarginTemperature* margin) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (margin == nullptr) return Return::invalid_argument;
    if (margin->version != nvml::version_of<nvml::MarginTemperature>(1))
      return Return::argument_version_mismatch;
    const auto now = degrees(at);
    if (!now) return Return::not_supported;
    margin->degrees = highest_unhindered(at) - *now;
    return Return::success;
  });
}

// Without fans, as boards in servers are.
Return nvmlDeviceGetNumFans(DeviceHandle device, unsigned* count) {
  return give(__func__, device, count, [](const Visit&) { return 0U; });
}
Return nvmlDeviceGetFanSpeed(DeviceHandle device, unsigned* percent) {
  return give(__func__, device, percent,
              [](const Visit&) -> std::optional<unsigned> { return std::nullopt; });
}
Return nvmlDeviceGetFanSpeed_v2(DeviceHandle device, unsigned, unsigned*) {
  return Library::here().call(__func__, device, [](const Visit&) { return Return::invalid_argument; });
}

}  // namespace ergon::fake_nvml
