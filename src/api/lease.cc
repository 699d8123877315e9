#include "device/lease/lease.h"

#include <fmt/format.h>

#include "api/access.h"
#include "device/lease/lease_store.h"

namespace ergon {

struct Lease::State {
  std::shared_ptr<device::Device> device;  // outlives the lease
  device::Lease lease;
};

Lease::Lease(std::unique_ptr<State> state) : state_(std::move(state)) {}
Lease::Lease(Lease&&) noexcept = default;
Lease& Lease::operator=(Lease&&) noexcept = default;
Lease::~Lease() = default;

Result<Lease> Lease::acquire(const Device& device, ControlAllowed /*allowed*/) {
  const auto folder = device::state_folder();
  if (!folder) return folder.error();
  const auto store = device::lease_store(*folder);
  if (!store) return store.error();
  const std::shared_ptr<device::Device>& held = Access::device(device);
  auto lease = device::Lease::acquire(*held, *store, device::ControlAllowed::by_user());
  if (!lease) return lease.error().in(device.identity().id);
  return Lease(std::make_unique<State>(State{held, std::move(*lease)}));
}

Result<> Lease::lock_core_clock(Hertz min, Hertz max) {
  return state_->lease.lock_clocks(device::ClockDomain::core, {min, max});
}

Result<> Lease::lock_memory_clock(Hertz min, Hertz max) {
  return state_->lease.lock_clocks(device::ClockDomain::memory, {min, max});
}

Result<> Lease::set_power_limit(Watts limit) { return state_->lease.set_power_limit(limit); }

RestoreResult Lease::release() {
  const device::RestoreReport report = state_->lease.release();
  RestoreResult result;
  result.complete = report.complete();
  for (const device::RestoreFailure& each : report.failed) result.failures.push_back(to_text(each));
  if (report.journal) result.failures.push_back(report.journal->message);
  return result;
}

}  // namespace ergon
