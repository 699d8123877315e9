#include "api/running_twin.h"

#include "device/twin/estimate.h"
#include "device/twin/load.h"

namespace ergon::api {
namespace {

device::Capabilities read_only(device::Capabilities capabilities) {
  capabilities.set_power_limit = capabilities.lock_core_clock = false;
  capabilities.memory = true;
  return capabilities;
}

}  // namespace

RunningTwin::RunningTwin(const device::Specification& gpu)
    : identity_(device::identity_of(gpu)),
      capabilities_(read_only(device::capabilities_of(gpu))),
      twin_(gpu),
      device_(twin_, clock_.wall_now()) {
  twin_.follow(clock_.now());
}

std::unique_lock<std::mutex> RunningTwin::lock_at_now() {
  std::unique_lock lock(mutex_);
  twin_.follow(clock_.now());
  return lock;
}

Result<> RunningTwin::run(const device::Workload& work) {
  const auto memory = device::memory_on(work, twin_.specification());
  if (!memory) return memory.error();
  const auto load = std::make_shared<const device::Load>(work, twin_.specification());
  const auto lock = lock_at_now();
  used_ = *memory;
  twin_.run(load);
  return {};
}

void RunningTwin::stop() {
  const auto lock = lock_at_now();
  used_ = Bytes{0};
  twin_.close_context();
}

Result<Watts> RunningTwin::power(device::PowerField field) {
  const auto lock = lock_at_now();
  return device_.power(field);
}

Result<std::vector<device::PowerSample>> RunningTwin::power_samples(Timestamp since) {
  const auto lock = lock_at_now();
  return device_.power_samples(since);
}

Result<Joules> RunningTwin::energy_counter() {
  const auto lock = lock_at_now();
  return device_.energy_counter();
}

Result<Hertz> RunningTwin::clock(device::ClockDomain domain) {
  const auto lock = lock_at_now();
  return device_.clock(domain);
}

Result<std::vector<Hertz>> RunningTwin::supported_clocks(device::ClockDomain domain) {
  const auto lock = lock_at_now();
  return device_.supported_clocks(domain);
}

Result<Celsius> RunningTwin::temperature() {
  const auto lock = lock_at_now();
  return device_.temperature();
}

Result<device::MemoryUse> RunningTwin::memory() {
  const auto lock = lock_at_now();
  return device::MemoryUse{twin_.specification().memory.capacity, used_};
}

Result<device::EventReasons> RunningTwin::event_reasons() {
  const auto lock = lock_at_now();
  return device_.event_reasons();
}

Result<device::PowerLimits> RunningTwin::power_limits() {
  const auto lock = lock_at_now();
  return device_.power_limits();
}

}  // namespace ergon::api
