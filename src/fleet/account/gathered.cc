#include "fleet/account/gathered.h"

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

void Gathered::add(const Event& event, const HostMark& host, const Joined& joined, bool outermost) {
  Spread& spread = spreads[{event.name, event.level}];
  spread.durations_ns.add(event.stop.ns - event.start.ns);
  const double watts = joined.mean[static_cast<std::size_t>(Metric::power)];
  if (joined.whole() && !std::isnan(watts)) {
    spread.power.add(watts);
    spread.energy.add(joined.energy.si());
  }
  if (outermost) tasks.push_back(event.task);
  keep({event, host, joined.energy});
}

void Gathered::keep(const LongEvent& event) {
  auto& kept = longest[event.event.name];
  if (kept.size() >= kLongestKept && !longer(event, kept.back())) return;
  kept.insert(std::upper_bound(kept.begin(), kept.end(), event, longer), event);
  if (kept.size() > kLongestKept) kept.pop_back();
}

void Gathered::merge(const Gathered& other) {
  for (const auto& [key, spread] : other.spreads) spreads[key].merge(spread);
  for (const auto& [event, kept] : other.longest) {
    for (const LongEvent& each : kept) keep(each);
  }
  tasks.insert(tasks.end(), other.tasks.begin(), other.tasks.end());
}

}  // namespace ergon::fleet
