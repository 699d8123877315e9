#include <ergon/device.h>

#include "api/access.h"
#include "api/convert.h"
#include "api/running_twin.h"
#include "device/machine/machine.h"
#include "device/twin/catalog.h"
#include "meter/sensor_facts.h"
#include "sources/device_source.h"

namespace ergon {
namespace {

Device opened(std::shared_ptr<device::Device> device, api::RunningTwin* twin = nullptr) {
  auto state = std::make_shared<Access::DeviceState>();
  state->identity = api::identity_of(*device);
  state->capabilities = api::capabilities_of(device->capabilities());
  state->twin = twin;
  state->device = std::move(device);
  return Access::make_device(std::move(state));
}

// The devices of a machine stay open while one of them is in use.
Device of_machine(const std::shared_ptr<const device::Machine>& machine, device::Device* device) {
  return opened(std::shared_ptr<device::Device>(machine, device));
}

}  // namespace

std::string_view name_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu:
      return "gpu";
    case DeviceKind::processor:
      return "processor";
    case DeviceKind::twin:
      break;
  }
  return "twin";
}

std::string_view name_of(PowerField field) { return device::name_of(api::field_of(field)); }

Device::Device(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<Device> Device::twin(const std::string& name_or_file) {
  const auto gpu = sources::DeviceSource{name_or_file, {}}.twin();
  if (!gpu) return gpu.error();
  auto twin = std::make_shared<api::RunningTwin>(*gpu);
  api::RunningTwin* const raw = twin.get();
  return opened(std::move(twin), raw);
}

const DeviceIdentity& Device::identity() const { return state_->identity; }
const DeviceCapabilities& Device::capabilities() const { return state_->capabilities; }

Result<Watts> Device::power() const {
  const auto sensor = meter::best_sensor(*state_->device);
  if (!sensor) return sensor.error();
  return state_->device->power(sensor->field);
}

Result<Watts> Device::power(PowerField field) const { return state_->device->power(api::field_of(field)); }
Result<Joules> Device::energy_counter() const { return state_->device->energy_counter(); }
Result<Hertz> Device::core_clock() const { return state_->device->clock(device::ClockDomain::core); }
Result<Hertz> Device::memory_clock() const { return state_->device->clock(device::ClockDomain::memory); }

Result<std::vector<Hertz>> Device::supported_core_clocks() const {
  return state_->device->supported_clocks(device::ClockDomain::core);
}

Result<std::vector<Hertz>> Device::supported_memory_clocks() const {
  return state_->device->supported_clocks(device::ClockDomain::memory);
}

Result<Celsius> Device::temperature() const { return state_->device->temperature(); }
Result<Celsius> Device::memory_temperature() const { return state_->device->memory_temperature(); }

Result<Utilization> Device::utilization() const {
  const auto read = state_->device->utilization();
  if (!read) return read.error();
  return Utilization{read->compute, read->memory};
}

Result<MemoryUse> Device::memory() const {
  const auto read = state_->device->memory();
  if (!read) return read.error();
  return MemoryUse{read->total, read->used};
}

Result<std::vector<DeviceProcess>> Device::processes() const {
  const auto read = state_->device->processes();
  if (!read) return read.error();
  std::vector<DeviceProcess> all;
  for (const device::Process& each : *read) all.push_back({each.pid, each.memory});
  return all;
}

Result<PowerLimits> Device::power_limits() const {
  const auto read = state_->device->power_limits();
  if (!read) return read.error();
  return PowerLimits{read->current, read->default_limit, read->min, read->max};
}

Result<std::vector<std::string>> Device::event_reasons() const {
  const auto read = state_->device->event_reasons();
  if (!read) return read.error();
  return read->names();
}

Result<> Device::run(const Network& network, std::int64_t batch, Mode mode,
                     std::optional<Precision> precision) const {
  if (state_->twin == nullptr)
    return fail(Errc::unsupported, "{} is not a twin: run the network with your framework",
                state_->identity.id);
  const graph::Network& fused = Access::fused(network);
  const auto work =
      device::workload_of(fused, batch, api::mode_of(mode), api::precision_of(precision, fused));
  if (!work) return work.error();
  return state_->twin->run(*work);
}

Result<> Device::stop() const {
  if (state_->twin == nullptr) return fail(Errc::unsupported, "{} is not a twin", state_->identity.id);
  state_->twin->stop();
  return {};
}

FoundDevices find_devices() {
  FoundDevices found;
  const auto machine = std::make_shared<const device::Machine>(
      device::Machine::open([&](std::string_view note) { found.notes.emplace_back(note); }));
  for (const auto& each : machine->devices()) found.devices.push_back(of_machine(machine, each.get()));
  found.problems = machine->problems();
  return found;
}

Result<std::vector<Device>> select_devices(const std::vector<std::string>& names) {
  const auto machine = std::make_shared<const device::Machine>(device::Machine::open({}));
  const auto selected = machine->select(names);
  if (!selected) return selected.error();
  std::vector<Device> devices;
  for (device::Device* const each : *selected) devices.push_back(of_machine(machine, each));
  return devices;
}

std::vector<std::string> twin_names() { return device::device_names(); }

}  // namespace ergon
