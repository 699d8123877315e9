#include "fleet/account/cell.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"

namespace ergon::fleet {
void Cell::add(std::int64_t start_ns, std::int64_t stop_ns, const Joined& joined) {
  const std::int64_t duration = stop_ns - start_ns;
  shortest_ns = events == 0 ? duration : std::min(shortest_ns, duration);
  longest_ns = std::max(longest_ns, duration);
  first_start = {events == 0 ? start_ns : std::min(first_start.ns, start_ns)};
  last_stop = {events == 0 ? stop_ns : std::max(last_stop.ns, stop_ns)};
  ++events;
  duration_ns += duration;
  duration_squares += square(static_cast<double>(duration) / 1e9);
  constexpr auto kUtilisation = static_cast<std::size_t>(Metric::utilisation);
  for (const auto& row : {joined.at_start, joined.at_stop}) {
    for (std::size_t m = 0; m < kMetrics; ++m) {
      if (std::isnan(row[m])) continue;
      nearest[m] += row[m];
      ++nearest_rows[m];
    }
    if (row[kUtilisation] == 0) ++nearest_unused;
  }
  for (std::size_t m = 0; m < kMetrics && joined.whole(); ++m) {
    if (std::isnan(joined.mean[m])) continue;
    mean[m] += joined.mean[m];
    mean_squares[m] += square(joined.mean[m]);
    ++mean_events[m];
  }
  energy += joined.energy;
  if (joined.whole()) {
    whole_energy += joined.energy;
    ++whole_events;
  }
  variance += joined.variance;
  own_energy += joined.own_energy;
  own_time += joined.own_time;
  between_samples += joined.between_samples ? 1 : 0;
  uncovered += joined.coverage > 0 ? 0 : 1;
  part_covered += joined.coverage > 0 && !joined.whole() ? 1 : 0;
}

void Cell::merge(const Cell& other) {
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
  nearest_unused += other.nearest_unused;
  energy += other.energy;
  whole_energy += other.whole_energy;
  whole_events += other.whole_events;
  variance += other.variance;
  own_energy += other.own_energy;
  own_time += other.own_time;
  between_samples += other.between_samples;
  uncovered += other.uncovered;
  part_covered += other.part_covered;
}

}  // namespace ergon::fleet
