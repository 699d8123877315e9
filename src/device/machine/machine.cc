#include "device/machine/machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "device/lease/lease.h"
#include "device/machine/device_name.h"
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

// "cpu0", "dram0", "cpu0-die1" and the UUIDs of RAPL devices.
bool names_processor(const std::string& name) {
  const std::string key = lower(name);
  return key.starts_with("cpu") || key.starts_with("dram") || key.starts_with("rapl-");
}

Error no_rapl() {
  return fail(Errc::not_found,
              "no RAPL energy counters in /sys/class/powercap. Load their driver (sudo modprobe "
              "intel_rapl_msr); virtual machines and containers often have none (docs/devices.md)");
}

Error no_gpu() { return fail(Errc::not_found, "this machine has no NVIDIA GPU"); }

// The kind of the first, and all messages.
Error joined(const std::vector<Error>& errors) {
  Error all = errors.front();
  for (std::size_t i = 1; i < errors.size(); ++i) all.message += "; " + errors[i].message;
  return all;
}

}  // namespace

Machine::Machine(FoundDevices gpus, FoundDevices processors)
    : devices_(std::move(gpus.devices)),
      problems_(std::move(gpus.problems)),
      gpu_problems_(problems_.size()) {
  for (auto& device : processors.devices) devices_.push_back(std::move(device));
  for (Error& problem : processors.problems) problems_.push_back(std::move(problem));
}

Machine Machine::open(const Notify& notify) {
  const Notify tell = notify ? notify : [](std::string_view) {};
  FoundDevices gpus;
  if (auto found = device::nvml::find_devices()) {
    gpus = std::move(*found);
  } else {
    gpus.problems.push_back(found.error());
  }
  for (const auto& gpu : gpus.devices) recover(tell, *gpu);
  return {std::move(gpus), device::rapl::find_devices()};
}

std::vector<Device*> Machine::processors() const {
  std::vector<Device*> all;
  for (const auto& device : devices_) {
    if (!is_gpu(*device)) all.push_back(device.get());
  }
  return all;
}

std::vector<Error> Machine::problems_of(bool processors) const {
  const auto split = problems_.begin() + static_cast<std::ptrdiff_t>(gpu_problems_);
  return processors ? std::vector(split, problems_.end()) : std::vector(problems_.begin(), split);
}

// Why there is no device of this name: those of its kind could not be opened, or none has the name.
Error Machine::no_device(const std::string& name) const {
  const bool processor = names_processor(name);
  const std::vector<Device*> cpus = processors();
  const bool has_kind = processor ? !cpus.empty() : cpus.size() < devices_.size();
  if (!has_kind && (processor || kind_of_name(name) == NameKind::gpu)) {
    const auto problems = problems_of(processor);
    const Error reason = !problems.empty() ? joined(problems) : processor ? no_rapl() : no_gpu();
    return reason.message.starts_with(lower(name) + ": ") ? reason : reason.in(printable(name));
  }
  std::vector<std::string> ids;
  for (const auto& device : devices_) ids.push_back(device->identity().id);
  if (ids.empty())
    return fail(Errc::unknown_name, "unknown device \"{}\"; this machine has none", printable(name));
  return fail(Errc::unknown_name, "unknown device \"{}\"{}; expected {}", printable(name),
              suggestion(lower(name), ids), fmt::join(ids, ", "));
}

Result<std::vector<Device*>> Machine::select(const std::vector<std::string>& names) const {
  std::vector<Device*> selected;
  for (const std::string& name : names) {
    std::vector<Device*> called;
    for (const auto& device : devices_) {
      if (matches(*device, name)) called.push_back(device.get());
    }
    if (called.empty()) return no_device(name);
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
  std::vector<Error> reasons = problems_.empty() ? std::vector{no_gpu()} : problems_;
  if (problems_of(true).empty()) reasons.push_back(no_rapl());
  return joined(reasons);
}

}  // namespace ergon::device
