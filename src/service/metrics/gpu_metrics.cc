#include "service/metrics/gpu_metrics.h"

namespace ergon::service {
namespace {

// A member of an optional value.
template <typename T, typename Member>
std::optional<Member> member_of(const std::optional<T>& whole, Member T::*member) {
  return whole ? std::optional((*whole).*member) : std::nullopt;
}

void add_processor(Exposition& page, const GpuReading& reading, const Labels& labels) {
  page.add(metrics::kCpuUp, labels, reading.responding ? 1.0 : 0.0);
  page.add(metrics::kCpuPower, labels, reading.power);
  page.add(metrics::kCpuEnergy, labels, reading.energy);
}

void add_accelerator(Exposition& page, const GpuReading& reading, const Labels& labels) {
  page.add(metrics::kGpuUp, labels, reading.responding ? 1.0 : 0.0);
  page.add(metrics::kGpuSimulated, labels, reading.simulated ? 1.0 : 0.0);
  page.add(metrics::kGpuPower, labels, reading.power);
  page.add(metrics::kGpuEnergy, labels, reading.energy);
  page.add(metrics::kGpuClock, labels, reading.core_clock);
  page.add(metrics::kGpuMemoryClock, labels, reading.memory_clock);
  page.add(metrics::kGpuTemperature, labels, reading.temperature);
  page.add(metrics::kGpuMemoryTemperature, labels, reading.memory_temperature);
  page.add(metrics::kGpuUtilization, labels,
           member_of(reading.utilization, &device::GpuUtilization::compute));
  page.add(metrics::kGpuMemoryUtilization, labels,
           member_of(reading.utilization, &device::GpuUtilization::memory));
  page.add(metrics::kGpuMemoryUsed, labels, member_of(reading.memory, &device::MemoryUse::used));
  page.add(metrics::kGpuMemoryTotal, labels, member_of(reading.memory, &device::MemoryUse::total));
  page.add(metrics::kGpuPowerLimit, labels, reading.power_limit);
  if (reading.responding)
    page.add(metrics::kGpuImplausible, labels, static_cast<double>(reading.implausible));
}

}  // namespace

Labels device_labels(std::string_view uuid, std::string_view name, std::string_view host) {
  return {{"uuid", std::string(uuid)}, {"name", std::string(name)}, {"host", std::string(host)}};
}

void add_device(Exposition& page, const GpuReading& reading, std::string_view host) {
  const Labels labels = device_labels(reading.identity.uuid, reading.identity.name, host);
  switch (reading.identity.kind) {
    case device::DeviceKind::rapl:
      return add_processor(page, reading, labels);
    case device::DeviceKind::nvml:
    case device::DeviceKind::twin:
      return add_accelerator(page, reading, labels);
  }
}

void add_devices(Exposition& page, const MonitorSnapshot& snapshot, std::string_view host) {
  for (const MonitoredDevice& each : snapshot.devices) add_device(page, each.reading, host);
}

}  // namespace ergon::service
