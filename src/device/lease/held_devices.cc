#include "device/lease/held_devices.h"

#include <fmt/format.h>

namespace ergon::device {
namespace {

Result<> apply_controls(Lease& lease, const RequestedControls& requested) {
  if (const auto& clock = requested.core_clock) {
    if (auto done = lease.lock_clocks(ClockDomain::core, {*clock, *clock}); !done) return done;
  }
  if (const auto& clock = requested.memory_clock) {
    if (auto done = lease.lock_clocks(ClockDomain::memory, {*clock, *clock}); !done) return done;
  }
  if (requested.power_limit) return lease.set_power_limit(*requested.power_limit);
  return {};
}

}  // namespace

Result<HeldDevices> HeldDevices::hold(const std::vector<Device*>& devices, const RequestedControls& requested,
                                      const LeaseStore& store, ControlAllowed allowed) {
  HeldDevices all;
  if (!requested.any()) return all;
  for (Device* device : devices) {
    if (device->identity().kind == DeviceKind::rapl) continue;
    auto lease = Lease::acquire(*device, store, allowed);
    if (!lease) return lease.error().in(device->identity().id);
    all.leases_.push_back({device, std::move(*lease)});
    if (auto done = apply_controls(all.leases_.back().lease, requested); !done) return done.error();
  }
  if (all.leases_.empty())
    return fail(Errc::unsupported, "none of the devices supports clock or power-limit changes");
  return all;
}

std::vector<HeldDevices::Change> HeldDevices::changes() const {
  std::vector<Change> all;
  for (const Held& each : leases_) {
    for (const ControlChange& change : each.lease.requested())
      all.push_back({each.device->identity().id, change});
  }
  return all;
}

Result<> HeldDevices::release(const Notify& notify) {
  Result<> result;
  for (Held& each : leases_) {
    const RestoreReport report = each.lease.release();
    for (const RestoreFailure& left : report.failed) {
      const std::string text = fmt::format("{}: {}", each.device->identity().id, to_text(left));
      if (result) {
        result = Error{left.error.kind, text};
      } else if (notify) {
        notify(text);
      }
    }
    if (report.journal && result) result = report.journal->in("lease journal");
  }
  return result;
}

}  // namespace ergon::device
