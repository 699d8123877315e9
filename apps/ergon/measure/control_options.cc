#include "measure/control_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "devices/lease_guard.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const device::ControlValue& value) {
  if (value.power_limit) return {{"watts", value.power_limit->si()}};
  if (value.clocks)
    return {{"least_hertz", value.clocks->least.si()}, {"most_hertz", value.clocks->most.si()}};
  return nullptr;  // not locked
}

Result<> apply(device::Lease& lease, const ControlOptions& wanted) {
  using device::ClockDomain;
  if (wanted.clock) {
    if (auto done = lease.lock_clocks(ClockDomain::core, {*wanted.clock, *wanted.clock}); !done) return done;
  }
  if (wanted.memory_clock) {
    const device::ClockRange range{*wanted.memory_clock, *wanted.memory_clock};
    if (auto done = lease.lock_clocks(ClockDomain::memory, range); !done) return done;
  }
  if (wanted.power_limit) return lease.set_power_limit(*wanted.power_limit);
  return {};
}

}  // namespace

void ControlOptions::declare(Options& options) {
  options.positive_quantity("--clock", clock, "lock the core clock meanwhile");
  options.positive_quantity("--memory-clock", memory_clock, "lock the memory clock meanwhile");
  options.positive_quantity("--power-limit", power_limit, "set the power limit meanwhile");
  options.flag("--allow-control", allowed, "permit these three; all is put back afterwards");
}

Result<> ControlOptions::check() const {
  if (!wanted() || allowed) return {};
  const char* which = clock ? "--clock" : memory_clock ? "--memory-clock" : "--power-limit";
  return fail(Errc::permission, "{} changes the GPU's settings for a while: that needs --allow-control",
              which);
}

Result<HeldDevices> HeldDevices::hold(const std::vector<device::Device*>& devices,
                                      const ControlOptions& wanted) {
  HeldDevices all;
  if (!wanted.wanted()) return all;
  if (auto permitted = wanted.check(); !permitted) return permitted.error();
  const auto folder = device::state_folder();
  if (!folder) return folder.error();
  const auto place = device::lease_place(*folder);
  if (!place) return place.error();
  if (auto guarded = start_lease_guard(); !guarded) return guarded.error();
  for (device::Device* device : devices) {
    if (device->identity().kind == device::DeviceKind::rapl) continue;
    auto lease = device::Lease::acquire(*device, *place, device::ControlAllowed::by_user());
    if (!lease) return lease.error().in(device->identity().id);
    all.held_.push_back({device, std::move(*lease)});
    if (auto done = apply(all.held_.back().lease, wanted); !done) return done.error();
  }
  if (all.held_.empty()) return fail(Errc::unsupported, "none of the devices can be controlled");
  return all;
}

Json HeldDevices::json() const {
  Json all = Json::array();
  for (const Held& each : held_) {
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
  for (Held& each : held_) {
    const device::RestoreReport report = each.lease.release();
    for (const device::Unrestored& left : report.failed) {
      const std::string text = fmt::format("{}: {}", each.device->identity().id, to_text(left));
      if (result) {
        result = Error{left.error.kind, text};
      } else {
        shell.note(text);
      }
    }
    if (report.journal && result) result = report.journal->in("the journal of leases");
  }
  return result;
}

}  // namespace ergon::app
