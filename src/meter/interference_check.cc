#include "meter/interference_check.h"

#include <unistd.h>

#include "meter/process_tree.h"

namespace ergon::meter {
namespace {

constexpr Seconds kHiddenAfter{0.5};

}  // namespace

DeviceState InterferenceCheck::read(device::Device& device, Instant now) {
  DeviceState state;
  if (const auto reasons = device.event_reasons()) state.reasons = *reasons;
  if (const auto temperature = device.temperature())
    state.temperature_min = state.temperature_max = *temperature;
  if (const auto clock = device.clock(device::ClockDomain::core)) state.clock_min = state.clock_max = *clock;
  if (const auto limits = device.power_limits())
    state.power_limit_lowered = limits->current < limits->default_limit;
  if (const auto processes = device.processes())
    state.other_processes = other_processes_among(*processes, now);
  return state;
}

// A listed process that is not in /proc may be a child that has just ended. If it is still listed after
// kHiddenAfter, it belongs to another PID namespace and counts as another process.
std::set<std::int64_t> InterferenceCheck::other_processes_among(const std::vector<device::Process>& processes,
                                                                Instant now) {
  std::set<std::int64_t> other_processes;
  std::map<std::int64_t, Instant> gone;
  for (const device::Process& process : processes) {
    const ProcessRelation related = process_relation(process.pid, ::getpid());
    if (related == ProcessRelation::unrelated) other_processes.insert(process.pid);
    if (related != ProcessRelation::gone) continue;
    const auto before = gone_.find(process.pid);
    const Instant since = before == gone_.end() ? now : before->second;
    gone[process.pid] = since;
    if (now - since >= kHiddenAfter) other_processes.insert(process.pid);
  }
  gone_ = std::move(gone);
  return other_processes;
}

}  // namespace ergon::meter
