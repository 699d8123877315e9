#pragma once

#include <cmath>

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Mean and 95 % interval from a sum and a sum of squares, within the range of the quantity.
MeanInterval mean_of(double sum, double squares, std::uint64_t count, double min = 0, double max = HUGE_VAL);

// `totals` is over all hosts, from totals_of().
EventSummary event_summary(const std::string& name, const EventTotals& totals,
                           const EventDistribution& distribution);

// Sum of the totals whose EventKey satisfies `belongs`, in order of host names.
template <typename Belongs>
EventTotals totals_of(const Tally& tally, const Belongs& belongs) {
  EventTotals all;
  for (const auto& [host, of_host] : tally.hosts) {
    for (const auto& [key, totals] : of_host.event_totals) {
      if (belongs(key)) all.merge(totals);
    }
  }
  return all;
}

std::vector<EventSummary> event_summaries(const Tally& tally);
// Levels of the event `outermost`; empty if no level is known.
std::vector<EventSummary> level_summaries(const Tally& tally, const std::string& outermost);
// The event name with the largest total duration; "" without events.
std::string outermost_event(const Tally& tally);

}  // namespace ergon::fleet
