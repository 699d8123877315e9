// Power, its limit, and energy.

#include "answer.h"

namespace ergon::fake_nvml {

namespace {

unsigned milliwatts(Watts power) { return thousandths<unsigned>(power.si()); }

// Errors: a limit that the board does not take.
Return set_limit(const char* function, DeviceHandle device, const unsigned* limit_mw) {
  return change(function, device, Permission::power_limit, [&](const Visit& at) -> Change {
    if (limit_mw == nullptr) return {Return::invalid_argument, {}};
    const device::PowerLimit& range = at.seat.gpu.limit;
    if (*limit_mw < milliwatts(range.least) || *limit_mw > milliwatts(range.most))
      return {Return::invalid_argument, {}};
    return {Return::success, {.command = Command::limit, .first = *limit_mw}};
  });
}

}  // namespace

Return nvmlDeviceGetPowerUsage(DeviceHandle device, unsigned* power_mw) {
  return give(__func__, device, power_mw, [](const Visit& at) -> std::optional<unsigned> {
    const auto watts = at.library.read(at, Reading::usage);
    if (!watts) return std::nullopt;
    return thousandths<unsigned>(*watts);
  });
}

Return nvmlDeviceGetTotalEnergyConsumption(DeviceHandle device, unsigned long long* energy_mj) {
  return give(__func__, device, energy_mj, [](const Visit& at) -> std::optional<unsigned long long> {
    const auto joules = at.library.read(at, Reading::energy);
    if (!joules) return std::nullopt;
    return thousandths<unsigned long long>(*joules);
  });
}

Return nvmlDeviceGetPowerManagementMode(DeviceHandle device, nvml::EnableState* mode) {
  return give(__func__, device, mode, [](const Visit&) { return nvml::EnableState::enabled; });
}
Return nvmlDeviceGetPowerManagementLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw, [](const Visit& at) { return milliwatts(at.gpu.twin().limit()); });
}
Return nvmlDeviceGetEnforcedPowerLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw, [](const Visit& at) { return milliwatts(at.gpu.twin().limit()); });
}
Return nvmlDeviceGetPowerManagementDefaultLimit(DeviceHandle device, unsigned* limit_mw) {
  return give(__func__, device, limit_mw,
              [](const Visit& at) { return milliwatts(at.seat.gpu.limit.usual); });
}
Return nvmlDeviceGetPowerManagementLimitConstraints(DeviceHandle device, unsigned* least_mw,
                                                    unsigned* most_mw) {
  return Library::here().call(__func__, device, [&](const Visit& at) {
    if (least_mw == nullptr || most_mw == nullptr) return Return::invalid_argument;
    *least_mw = milliwatts(at.seat.gpu.limit.least);
    *most_mw = milliwatts(at.seat.gpu.limit.most);
    return Return::success;
  });
}

Return nvmlDeviceSetPowerManagementLimit(DeviceHandle device, unsigned limit_mw) {
  return set_limit(__func__, device, &limit_mw);
}
Return nvmlDeviceSetPowerManagementLimit_v2(DeviceHandle device, nvml::PowerValue* limit) {
  if (limit != nullptr && limit->version != nvml::version_of<nvml::PowerValue>(2)) {
    return Library::here().call(__func__, device,
                                [](const Visit&) { return Return::argument_version_mismatch; });
  }
  const bool of_the_gpu = limit != nullptr && limit->scope == nvml::field::kScopeGpu;
  return set_limit(__func__, device, of_the_gpu ? &limit->power_mw : nullptr);
}

Return nvmlDeviceGetPowerSource(DeviceHandle device, nvml::PowerSource* source) {
  return give(__func__, device, source, [](const Visit&) { return nvml::PowerSource::mains; });
}

}  // namespace ergon::fake_nvml
