#include "fleet/account/event_totals.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"

namespace ergon::fleet {
void EventTotals::add(std::int64_t start_ns, std::int64_t stop_ns, const EventTelemetry& telemetry) {
  const std::int64_t duration = stop_ns - start_ns;
  shortest_ns = events == 0 ? duration : std::min(shortest_ns, duration);
  longest_ns = std::max(longest_ns, duration);
  first_start = {events == 0 ? start_ns : std::min(first_start.ns, start_ns)};
  last_stop = {events == 0 ? stop_ns : std::max(last_stop.ns, stop_ns)};
  ++events;
  duration_ns += static_cast<double>(duration);
  duration_squares += square(static_cast<double>(duration) / 1e9);
  constexpr auto kUtilization = static_cast<std::size_t>(Metric::utilization);
  for (const auto& row : {telemetry.at_start, telemetry.at_stop}) {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (std::isnan(row[m])) continue;
      nearest[m] += row[m];
      ++nearest_rows[m];
    }
    if (row[kUtilization] == 0) ++nearest_idle;
  }
  for (std::size_t m = 0; m < kMetrics && telemetry.whole(); ++m) {
    if (std::isnan(telemetry.mean[m])) continue;
    mean[m] += telemetry.mean[m];
    mean_squares[m] += square(telemetry.mean[m]);
    ++mean_events[m];
  }
  energy += telemetry.energy;
  if (telemetry.whole() && !telemetry.indivisible) {
    whole_energy += telemetry.energy;
    ++whole_events;
  }
  variance += telemetry.variance;
  exclusive_energy += telemetry.exclusive_energy;
  exclusive_time += telemetry.exclusive_time;
  between_samples += telemetry.between_samples ? 1 : 0;
  uncovered += telemetry.coverage > 0 ? 0 : 1;
  part_covered += telemetry.coverage > 0 && !telemetry.whole() ? 1 : 0;
  indivisible += telemetry.indivisible ? 1 : 0;
}

void EventTotals::merge(const EventTotals& other) {
  if (other.events == 0) return;
  shortest_ns = events == 0 ? other.shortest_ns : std::min(shortest_ns, other.shortest_ns);
  longest_ns = std::max(longest_ns, other.longest_ns);
  first_start = events == 0 ? other.first_start : std::min(first_start, other.first_start);
  last_stop = events == 0 ? other.last_stop : std::max(last_stop, other.last_stop);
  events += other.events;
  duration_ns += other.duration_ns;
  duration_squares += other.duration_squares;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    nearest[m] += other.nearest[m];
    nearest_rows[m] += other.nearest_rows[m];
    mean[m] += other.mean[m];
    mean_squares[m] += other.mean_squares[m];
    mean_events[m] += other.mean_events[m];
  }
  nearest_idle += other.nearest_idle;
  energy += other.energy;
  whole_energy += other.whole_energy;
  whole_events += other.whole_events;
  variance += other.variance;
  exclusive_energy += other.exclusive_energy;
  exclusive_time += other.exclusive_time;
  between_samples += other.between_samples;
  uncovered += other.uncovered;
  part_covered += other.part_covered;
  indivisible += other.indivisible;
}

}  // namespace ergon::fleet
