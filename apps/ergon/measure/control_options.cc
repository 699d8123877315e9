#include "measure/control_options.h"

#include "device/machine/lease_guard.h"

namespace ergon::app {

void ControlOptions::declare(Options& options) {
  options.positive_quantity("--clock", requested.core_clock,
                            "locked core clock, for example 1200MHz (default: not locked)");
  options.positive_quantity("--memory-clock", requested.memory_clock,
                            "locked memory clock (default: not locked)");
  options.positive_quantity("--power-limit", requested.power_limit,
                            "power limit, for example 300W (default: the current one)");
  options.flag("--allow-control", allowed, "permit these changes; they are undone afterwards");
}

Result<> ControlOptions::check() const {
  if (!requested.any() || allowed) return {};
  const char* which = requested.core_clock     ? "--clock"
                      : requested.memory_clock ? "--memory-clock"
                                               : "--power-limit";
  return fail(Errc::permission, "{} changes GPU settings; add --allow-control", which);
}

Result<device::HeldDevices> ControlOptions::hold(const std::vector<device::Device*>& devices) const {
  if (!requested.any()) return device::HeldDevices();
  if (auto permitted = check(); !permitted) return permitted.error();
  const auto folder = device::state_folder();
  if (!folder) return folder.error();
  const auto store = device::lease_store(*folder);
  if (!store) return store.error();
  if (auto guarded = device::start_lease_guard(); !guarded) return guarded.error();
  return device::HeldDevices::hold(devices, requested, *store, device::ControlAllowed::by_user());
}

}  // namespace ergon::app
