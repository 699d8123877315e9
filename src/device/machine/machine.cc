#include "device/machine/machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "device/lease/lease.h"
#include "device/nvml/find.h"
#include "device/rapl/find.h"

namespace ergon::device {
namespace {

bool is_gpu(const Device& device) { return device.identity().kind != DeviceKind::rapl; }

bool matches(const Device& device, const std::string& name) {
  const auto& [id, uuid, product, kind] = device.identity();
  constexpr std::size_t kMinUuidPrefix = 8;
  const std::string key = lower(name);
  return key == id || (is_gpu(device) && "gpu" + key == id) || key == lower(uuid) ||
         (key.size() >= kMinUuidPrefix && lower(uuid).starts_with(key));
}

void report_restore(const Notify& notify, const Device& device, const RestoreReport& report) {
  const std::string& id = device.identity().id;
  for (const RestoredControl& each : report.restored) {
    notify(fmt::format("{}: {} restored to {} after a killed run", id, name_of(each.control),
                       to_text(each.value)));
  }
  for (const RestoreFailure& each : report.failed) notify(fmt::format("{}: {}", id, to_text(each)));
  if (report.damaged) {
    notify(fmt::format("{}: the lease journal of a killed run is damaged; copied to {}", id,
                       report.damaged->string()));
  }
}

// --allow-control of the killed run also covers restoring its changes.
void recover(const Notify& notify, Device& device) {
  const auto folder = state_folder();
  if (!folder) return;
  const auto store = lease_store(*folder);
  if (!store) return;
  const auto report = Lease::recover(device, *store, ControlAllowed::by_user());
  if (report) {
    report_restore(notify, device, *report);
  } else {
    notify(fmt::format("{}: {}", device.identity().id, report.error().message));
  }
}

}  // namespace

Machine Machine::open(const Notify& notify) {
  const Notify tell = notify ? notify : [](std::string_view) {};
  Machine machine;
  if (auto gpus = device::nvml::find_devices()) {
    machine.devices_ = std::move(gpus->devices);
    machine.problems_ = std::move(gpus->problems);
  } else {
    machine.problems_.push_back(gpus.error());
  }
  for (const auto& gpu : machine.devices_) recover(tell, *gpu);
  FoundDevices processors = device::rapl::find_devices();
  for (auto& device : processors.devices) machine.devices_.push_back(std::move(device));
  for (Error& problem : processors.problems) machine.problems_.push_back(std::move(problem));
  return machine;
}

std::vector<Device*> Machine::processors() const {
  std::vector<Device*> all;
  for (const auto& device : devices_) {
    if (!is_gpu(*device)) all.push_back(device.get());
  }
  return all;
}

Result<std::vector<Device*>> Machine::select(const std::vector<std::string>& names) const {
  std::vector<Device*> selected;
  std::vector<std::string> ids;
  for (const auto& device : devices_) ids.push_back(device->identity().id);
  for (const std::string& name : names) {
    std::vector<Device*> called;
    for (const auto& device : devices_) {
      if (matches(*device, name)) called.push_back(device.get());
    }
    if (called.empty() && !devices_.empty()) {
      return fail(Errc::unknown_name, "unknown device \"{}\"{}; expected {}", printable(name),
                  suggestion(lower(name), ids), fmt::join(ids, ", "));
    }
    if (called.size() > 1)
      return fail(Errc::invalid_input, "\"{}\" is a prefix of several UUIDs; use more characters", name);
    for (Device* device : called) {
      if (std::find(selected.begin(), selected.end(), device) == selected.end()) selected.push_back(device);
    }
  }
  if (names.empty()) {
    for (const auto& device : devices_) {
      if (is_gpu(*device)) selected.push_back(device.get());
    }
    if (selected.empty()) selected = processors();
  }
  if (!selected.empty()) return selected;
  if (problems_.empty()) {
    return fail(Errc::not_found, "this machine has no NVIDIA GPU and no RAPL energy counters");
  }
  Error error = problems_.front();
  for (std::size_t i = 1; i < problems_.size(); ++i) error.message += "; " + problems_[i].message;
  return error;
}

}  // namespace ergon::device
