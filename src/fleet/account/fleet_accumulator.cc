#include "fleet/account/fleet_accumulator.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ergon::fleet {

bool longer(const LongEvent& a, const LongEvent& b) {
  const auto key = [](const LongEvent& each) {
    return std::tuple(each.event.start.ns - each.event.stop.ns, each.event.start.ns, each.event.task,
                      each.host.hash);
  };
  return key(a) < key(b);
}

void FleetAccumulator::add(const Event& event, const HostKey& host, const EventTelemetry& telemetry,
                           bool outermost) {
  EventDistribution& distribution = distributions[{event.name, event.level}];
  distribution.durations_ns.add(event.stop.ns - event.start.ns);
  const double watts = telemetry.mean[static_cast<std::size_t>(Metric::power)];
  if (telemetry.whole() && !std::isnan(watts)) {
    distribution.power.add(watts);
    distribution.energy.add(telemetry.energy.si());
  }
  if (outermost) tasks.push_back(event.task);
  keep({event, host, telemetry.own_energy()});
}

void FleetAccumulator::keep(const LongEvent& event) {
  auto& events = longest[event.event.name];
  if (events.size() >= kMaxLongEvents && !longer(event, events.back())) return;
  events.insert(std::upper_bound(events.begin(), events.end(), event, longer), event);
  if (events.size() > kMaxLongEvents) events.pop_back();
}

void FleetAccumulator::merge(const FleetAccumulator& other) {
  for (const auto& [key, distribution] : other.distributions) distributions[key].merge(distribution);
  for (const auto& [event, events] : other.longest) {
    for (const LongEvent& each : events) keep(each);
  }
  tasks.insert(tasks.end(), other.tasks.begin(), other.tasks.end());
}

}  // namespace ergon::fleet
