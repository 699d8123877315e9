#include "devices/machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "device/lease/lease.h"
#include "device/nvml/find.h"
#include "device/rapl/find.h"

namespace ergon::app {
namespace {

using device::Device;
using device::DeviceKind;

bool is_gpu(const Device& device) { return device.identity().kind != DeviceKind::rapl; }

bool is_called(const Device& device, const std::string& name) {
  const auto& [id, uuid, product, kind] = device.identity();
  constexpr std::size_t kTelling = 8;
  const std::string asked = lower(name);
  return asked == id || (is_gpu(device) && "gpu" + asked == id) || asked == lower(uuid) ||
         (asked.size() >= kTelling && lower(uuid).starts_with(asked));
}

void tell(Shell& shell, const Device& device, const device::RestoreReport& report) {
  const std::string& id = device.identity().id;
  for (const device::Restored& each : report.restored) {
    shell.note(fmt::format("{}: {} is back at {}, as before a run that was killed", id, name_of(each.control),
                           to_text(each.value)));
  }
  for (const device::Unrestored& each : report.failed) shell.note(fmt::format("{}: {}", id, to_text(each)));
  if (report.damaged) {
    shell.note(fmt::format("{}: the journal of a run that was killed is damaged; a copy is {}", id,
                           report.damaged->string()));
  }
}

// The permission was given when the change was made; it covers taking it back.
void recover(Shell& shell, Device& device) {
  const auto folder = device::state_folder();
  if (!folder) return;
  const auto place = device::lease_place(*folder);
  if (!place) return;
  const auto report = device::Lease::recover(device, *place, device::ControlAllowed::by_user());
  if (report) {
    tell(shell, device, *report);
  } else {
    shell.note(fmt::format("{}: {}", device.identity().id, report.error().message));
  }
}

}  // namespace

Machine Machine::open(Shell& shell) {
  Machine machine;
  if (auto gpus = device::nvml::find_devices()) {
    machine.devices_ = std::move(gpus->devices);
    machine.problems_ = std::move(gpus->problems);
  } else {
    machine.problems_.push_back(gpus.error());
  }
  for (const auto& gpu : machine.devices_) recover(shell, *gpu);
  device::Found processors = device::rapl::find_devices();
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
      if (is_called(*device, name)) called.push_back(device.get());
    }
    if (called.empty() && !devices_.empty()) {
      return fail(Errc::not_found, "there is no device \"{}\"{}; there are {}", printable(name),
                  suggestion(name, ids), fmt::join(ids, ", "));
    }
    if (called.size() > 1) return fail(Errc::invalid_input, "\"{}\" is the beginning of several UUIDs", name);
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
    return fail(Errc::not_found, "this machine has no GPU, and its processor counts no energy");
  }
  Error error = problems_.front();
  for (std::size_t i = 1; i < problems_.size(); ++i) error.message += "; " + problems_[i].message;
  return error;
}

}  // namespace ergon::app
