#include "device/nvml/nvml_device.h"

#include <utility>

#include "base/text.h"
#include "device/nvml/capabilities.h"
#include "device/nvml/clocks.h"
#include "device/nvml/power.h"
#include "device/nvml/processes.h"
#include "device/nvml/state.h"

namespace ergon::device::nvml {

NvmlDevice::NvmlDevice(Identity identity, Gpu gpu) : identity_(std::move(identity)), gpu_(std::move(gpu)) {}

Result<std::unique_ptr<NvmlDevice>> NvmlDevice::open(const std::shared_ptr<const Library>& library,
                                                     unsigned index) {
  const std::string id = fmt::format("gpu{}", index);
  DeviceHandle handle = nullptr;
  const Return status = library->functions().handle_by_index(index, &handle);
  if (status != Return::success) return library->error(status, id);

  const Gpu unnamed(library, handle, id);
  char name[kNameSize] = {}, uuid[kUuidSize] = {};
  const bool named = static_cast<bool>(unnamed.call("name", library->functions().name, name, kNameSize - 1));
  const auto identified = unnamed.call("UUID", library->functions().uuid, uuid, kUuidSize - 1);
  if (!identified) return identified.error();

  const Identity identity{id, printable(uuid, kUuidSize), named ? printable(name, kNameSize) : "NVIDIA GPU",
                          DeviceKind::nvml};
  std::unique_ptr<NvmlDevice> device(
      new NvmlDevice(identity, Gpu(library, handle, fmt::format("{} ({})", id, identity.name))));
  auto capabilities = probe(device->gpu_, *device);
  if (!capabilities) return capabilities.error();
  device->capabilities_ = *std::move(capabilities);
  const Capabilities& can = device->capabilities_;
  if (can.set_power_limit || can.lock_core_clock || can.lock_memory_clock || can.application_clocks) {
    device->controls_.emplace(device->gpu_, can);
  }
  return device;
}

Result<Watts> NvmlDevice::power(PowerField field) { return nvml::power(gpu_, field); }

Result<std::vector<PowerSample>> NvmlDevice::power_samples(Timestamp since) {
  return nvml::power_samples(gpu_, since);
}

Result<Joules> NvmlDevice::energy_counter() {
  std::uint64_t previous_mj = max_energy_mj_;
  const auto energy_mj = nvml::energy_mj(gpu_);
  if (!energy_mj) return energy_mj.error();
  // Compared with the maximum before this call: other threads may have read a newer value meanwhile.
  if (*energy_mj < previous_mj) {
    return fail(Errc::device_lost, "energy counter of {}: the counter restarted, so the GPU was reset",
                gpu_.label());
  }
  while (previous_mj < *energy_mj && !max_energy_mj_.compare_exchange_weak(previous_mj, *energy_mj)) continue;
  return Joules{static_cast<double>(*energy_mj) / 1e3};
}

Result<Hertz> NvmlDevice::clock(ClockDomain domain) { return nvml::clock(gpu_, domain); }

Result<std::vector<Hertz>> NvmlDevice::supported_clocks(ClockDomain domain) {
  const auto clocks_mhz = domain == ClockDomain::core ? supported_core_mhz(gpu_) : supported_memory_mhz(gpu_);
  if (!clocks_mhz) return clocks_mhz.error();
  std::vector<Hertz> clocks;
  clocks.reserve(clocks_mhz->size());
  for (const unsigned mhz : *clocks_mhz) clocks.emplace_back(mhz * 1e6);
  return clocks;
}

Result<Celsius> NvmlDevice::temperature() { return nvml::temperature(gpu_); }
Result<Celsius> NvmlDevice::memory_temperature() { return nvml::memory_temperature(gpu_); }
Result<GpuUtilization> NvmlDevice::utilization() { return nvml::utilization(gpu_); }
Result<MemoryUse> NvmlDevice::memory() { return memory_use(gpu_); }
Result<EventReasons> NvmlDevice::event_reasons() { return nvml::event_reasons(gpu_); }
Result<std::vector<Process>> NvmlDevice::processes() { return nvml::processes(gpu_); }
Result<PowerLimits> NvmlDevice::power_limits() { return nvml::power_limits(gpu_); }

Controls* NvmlDevice::controls(LeaseKey) { return controls_ ? &*controls_ : nullptr; }

}  // namespace ergon::device::nvml
