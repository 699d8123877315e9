#include "meter/lookout.h"

#include <unistd.h>

#include "meter/kinship.h"

namespace ergon::meter {
namespace {

constexpr Seconds kGoneFor{0.5};

}  // namespace

Surroundings Lookout::look(device::Device& device, Instant now) {
  Surroundings seen;
  if (const auto reasons = device.event_reasons()) seen.reasons = *reasons;
  if (const auto temperature = device.temperature()) seen.coolest = seen.hottest = *temperature;
  if (const auto clock = device.clock(device::ClockDomain::core)) seen.slowest = seen.fastest = *clock;
  if (const auto limits = device.power_limits()) seen.limit_lowered = limits->now < limits->usual;
  if (const auto processes = device.processes()) seen.strangers = strangers_among(*processes, now);
  return seen;
}

// A process that is gone may have been ours a moment ago; if it is still listed some time later, it is
// somebody whom this process cannot see.
std::set<std::int64_t> Lookout::strangers_among(const std::vector<device::Process>& processes, Instant now) {
  std::set<std::int64_t> strangers;
  std::map<std::int64_t, Instant> gone;
  for (const device::Process& process : processes) {
    const Kinship related = kinship(process.pid, ::getpid());
    if (related == Kinship::stranger) strangers.insert(process.pid);
    if (related != Kinship::gone) continue;
    const auto before = gone_.find(process.pid);
    const Instant since = before == gone_.end() ? now : before->second;
    gone[process.pid] = since;
    if (now - since >= kGoneFor) strangers.insert(process.pid);
  }
  gone_ = std::move(gone);
  return strangers;
}

}  // namespace ergon::meter
