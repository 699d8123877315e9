// Power, power limit and energy.

#include "call_helpers.h"

namespace ergon::fake_nvml {

namespace {

unsigned milliwatts(Watts power) { return thousandths<unsigned>(power.si()); }

// Return::invalid_argument for an unsupported limit.
Return set_limit(const char* function, DeviceHandle device, const unsigned* limit_mw) {
  return change(function, device, Permission::power_limit, [&](const GpuCall& at) -> Change {
    if (limit_mw == nullptr) return {Return::invalid_argument, {}};
    const device::PowerLimitModel& range = at.slot.gpu.limit;
    if (*limit_mw < milliwatts(range.min) || *limit_mw > milliwatts(range.max))
      return {Return::invalid_argument, {}};
    return {Return::success, {.command = Command::limit, .first = *limit_mw}};
  });
}

}  // namespace

Return nvmlDeviceGetPowerUsage(DeviceHandle device, unsigned* power_mw) {
  return give(__func__, device, power_mw, [](const GpuCall& at) -> std::optional<unsigned> {
    const auto watts = at.library.read(at, SensorField::usage);
    if (!watts) return std::nullopt;
    return thousandths<unsigned>(*watts);
  });
}

Return nvmlDeviceGetTotalEnergyConsumption(DeviceHandle device, unsigned long long* energy_mj) {
  const auto read = [&](const GpuCall& at) {
    if (energy_mj == nullptr) return Return::invalid_argument;
    const auto joules = at.library.read(at, SensorField::energy);
    if (!joules) return Return::not_supported;
    *energy_mj = thousandths<unsigned long long>(*joules);
    return Return::success;
  };
  return Library::here().call(__func__, device, read, /*reads_energy_counter=*/true);
}

Return nvmlDeviceGetPowerManagementMode(DeviceHandle device, nvml::EnableState* mode) {
  return give(__func__, device, mode, [](const GpuCall&) { return nvml::EnableState::enabled; });
}
Return nvmlDeviceGetPowerManagementLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw,
              [](const GpuCall& at) { return milliwatts(at.gpu.twin().limit()); });
}
Return nvmlDeviceGetEnforcedPowerLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw,
              [](const GpuCall& at) { return milliwatts(at.gpu.twin().limit()); });
}
Return nvmlDeviceGetPowerManagementDefaultLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw,
              [](const GpuCall& at) { return milliwatts(at.slot.gpu.limit.default_limit); });
}
Return nvmlDeviceGetPowerManagementLimitConstraints(DeviceHandle device, unsigned* min_mw, unsigned* max_mw) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (min_mw == nullptr || max_mw == nullptr) return Return::invalid_argument;
    *min_mw = milliwatts(at.slot.gpu.limit.min);
    *max_mw = milliwatts(at.slot.gpu.limit.max);
    return Return::success;
  });
}

Return nvmlDeviceSetPowerManagementLimit(DeviceHandle device, unsigned limit_mw) {
  return set_limit(__func__, device, &limit_mw);
}
Return nvmlDeviceSetPowerManagementLimit_v2(DeviceHandle device, nvml::PowerValue* limit) {
  if (limit != nullptr && limit->version != nvml::version_of<nvml::PowerValue>(2)) {
    return Library::here().call(__func__, device,
                                [](const GpuCall&) { return Return::argument_version_mismatch; });
  }
  const bool of_the_gpu = limit != nullptr && limit->scope == nvml::field::kScopeGpu;
  return set_limit(__func__, device, of_the_gpu ? &limit->power_mw : nullptr);
}

Return nvmlDeviceGetPowerSource(DeviceHandle device, nvml::PowerSource* source) {
  return give(__func__, device, source, [](const GpuCall&) { return nvml::PowerSource::mains; });
}

}  // namespace ergon::fake_nvml
