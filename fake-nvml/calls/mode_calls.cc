// Modes and performance states.

#include "call_helpers.h"

namespace ergon::fake_nvml {

using nvml::EnableState;

Return nvmlDeviceGetPersistenceMode(DeviceHandle device, EnableState* mode) {
  return give(__func__, device, mode, [](const GpuCall& at) {
    return at.gpu.persistent() ? EnableState::enabled : EnableState::disabled;
  });
}
Return nvmlDeviceSetPersistenceMode(DeviceHandle device, EnableState mode) {
  return change(__func__, device, Permission::persistence, [&](const GpuCall&) -> Change {
    if (mode != EnableState::enabled && mode != EnableState::disabled) return {Return::invalid_argument, {}};
    return {Return::success,
            {.command = Command::persistence, .first = mode == EnableState::enabled ? 1 : 0}};
  });
}

Return nvmlDeviceGetComputeMode(DeviceHandle device, nvml::ComputeMode* mode) {
  return give(__func__, device, mode, [](const GpuCall&) { return nvml::ComputeMode::default_mode; });
}
Return nvmlDeviceGetDisplayMode(DeviceHandle device, EnableState* attached) {
  return give(__func__, device, attached, [](const GpuCall&) { return EnableState::disabled; });
}
Return nvmlDeviceGetDisplayActive(DeviceHandle device, EnableState* active) {
  return give(__func__, device, active, [](const GpuCall&) { return EnableState::disabled; });
}

Return nvmlDeviceGetEccMode(DeviceHandle device, EnableState* current, EnableState* pending) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (current == nullptr || pending == nullptr) return Return::invalid_argument;
    if (!at.product.ecc) return Return::not_supported;
    *current = *pending = EnableState::enabled;
    return Return::success;
  });
}

// Disabled, on chips that support MIG.
Return nvmlDeviceGetMigMode(DeviceHandle device, unsigned* current, unsigned* pending) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (current == nullptr || pending == nullptr) return Return::invalid_argument;
    if (!at.product.has_mig()) return Return::not_supported;
    *current = *pending = 0;
    return Return::success;
  });
}

namespace {

// Boards with HBM stay at P0; others go to P8 without a context.
std::optional<nvml::PerformanceState> state_of(const GpuCall& at) {
  const bool rests = !at.product.stacked_memory && !at.gpu.twin().has_context();
  return rests ? nvml::PerformanceState::p8 : nvml::PerformanceState::p0;
}

}  // namespace

Return nvmlDeviceGetPerformanceState(DeviceHandle device, nvml::PerformanceState* state) {
  return give(__func__, device, state, state_of);
}
Return nvmlDeviceGetPowerState(DeviceHandle device, nvml::PerformanceState* state) {
  return give(__func__, device, state, state_of);
}

Return nvmlDeviceGetAPIRestriction(DeviceHandle device, nvml::RestrictedApi api, EnableState* restricted) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    const bool known = api == nvml::RestrictedApi::set_application_clocks ||
                       api == nvml::RestrictedApi::set_auto_boosted_clocks;
    if (!known || restricted == nullptr) return Return::invalid_argument;
    if (api == nvml::RestrictedApi::set_application_clocks && !at.product.sets_application_clocks()) {
      return Return::not_supported;
    }
    const bool may = at.simulation.scenario().permissions.contains(Permission::application_clocks);
    *restricted = may ? EnableState::disabled : EnableState::enabled;
    return Return::success;
  });
}

}  // namespace ergon::fake_nvml
