#include "measure/control_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "devices/lease_guard.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const device::ControlValue& value) {
  if (value.power_limit) return {{"watts", value.power_limit->si()}};
  if (value.clocks) return {{"min_hertz", value.clocks->min.si()}, {"max_hertz", value.clocks->max.si()}};
  return nullptr;  // not locked
}

Result<> apply(device::Lease& lease, const ControlOptions& options) {
  using device::ClockDomain;
  if (options.clock) {
    if (auto done = lease.lock_clocks(ClockDomain::core, {*options.clock, *options.clock}); !done)
      return done;
  }
  if (options.memory_clock) {
    const device::ClockRange range{*options.memory_clock, *options.memory_clock};
    if (auto done = lease.lock_clocks(ClockDomain::memory, range); !done) return done;
  }
  if (options.power_limit) return lease.set_power_limit(*options.power_limit);
  return {};
}

}  // namespace

void ControlOptions::declare(Options& options) {
  options.positive_quantity("--clock", clock, "locked core clock, for example 1200MHz (default: not locked)");
  options.positive_quantity("--memory-clock", memory_clock, "locked memory clock (default: not locked)");
  options.positive_quantity("--power-limit", power_limit,
                            "power limit, for example 300W (default: the current one)");
  options.flag("--allow-control", allowed, "permit these changes; they are undone afterwards");
}

Result<> ControlOptions::check() const {
  if (!requested() || allowed) return {};
  const char* which = clock ? "--clock" : memory_clock ? "--memory-clock" : "--power-limit";
  return fail(Errc::permission, "{} changes GPU settings; add --allow-control", which);
}

Result<HeldDevices> HeldDevices::hold(const std::vector<device::Device*>& devices,
                                      const ControlOptions& options) {
  HeldDevices all;
  if (!options.requested()) return all;
  if (auto permitted = options.check(); !permitted) return permitted.error();
  const auto folder = device::state_folder();
  if (!folder) return folder.error();
  const auto store = device::lease_store(*folder);
  if (!store) return store.error();
  if (auto guarded = start_lease_guard(); !guarded) return guarded.error();
  for (device::Device* device : devices) {
    if (device->identity().kind == device::DeviceKind::rapl) continue;
    auto lease = device::Lease::acquire(*device, *store, device::ControlAllowed::by_user());
    if (!lease) return lease.error().in(device->identity().id);
    all.leases_.push_back({device, std::move(*lease)});
    if (auto done = apply(all.leases_.back().lease, options); !done) return done.error();
  }
  if (all.leases_.empty())
    return fail(Errc::unsupported, "none of the devices supports clock or power-limit changes");
  return all;
}

Json HeldDevices::json() const {
  Json all = Json::array();
  for (const Held& each : leases_) {
    for (const device::ControlChange& change : each.lease.requested()) {
      all.push_back({{"device", each.device->identity().id},
                     {"control", name_of(change.control)},
                     {"before", change.before ? value_json(*change.before) : Json(nullptr)},
                     {"requested", value_json(change.requested)}});
    }
  }
  return all;
}

Result<> HeldDevices::release(Shell& shell) {
  Result<> result;
  for (Held& each : leases_) {
    const device::RestoreReport report = each.lease.release();
    for (const device::RestoreFailure& left : report.failed) {
      const std::string text = fmt::format("{}: {}", each.device->identity().id, to_text(left));
      if (result) {
        result = Error{left.error.kind, text};
      } else {
        shell.note(text);
      }
    }
    if (report.journal && result) result = report.journal->in("lease journal");
  }
  return result;
}

}  // namespace ergon::app
