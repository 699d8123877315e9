#pragma once

#include <cstdint>
#include <optional>

#include "base/timestamp.h"
#include "fleet/account/gpu_sums.h"

namespace ergon::fleet {

// Readings of a host's GPUs during one event. Power and energy are sums over GPUs, other metrics are means.
// Tasks that run at the same time have equal shares of the energy and of the mean power. at_start and at_stop
// are readings of the whole host, not divided among tasks.
struct EventTelemetry {
  PerMetric<double> at_start = kAllUnknown, at_stop = kAllUnknown;  // from the nearest samples
  PerMetric<double> mean = kAllUnknown;                             // over the interval from START to STOP
  Joules energy;
  double variance = 0;  // of `energy`, in square joules
  Joules exclusive_energy;
  Seconds exclusive_time;
  double coverage = 0;           // share of the event's GPU time that is covered by samples
  bool between_samples = false;  // no sample lies inside the event
  // Other tasks ran at the same time, and the host has several GPUs. Which GPU each task used is unknown, so
  // the share of this event in the energy is unknown too: `energy` serves sums, and the mean power is absent.
  bool indivisible = false;

  // Samples cover the event from START to STOP. Means of partly covered events are not used.
  bool whole() const { return coverage > 1 - 1e-9; }
  // The energy of this event alone; absent if no samples cover it or it is indivisible.
  std::optional<Joules> own_energy() const {
    return coverage > 0 && !indivisible ? std::optional(energy) : std::nullopt;
  }
};

// Totals of all events of one name and level on one host, added in order of START. The sums are therefore
// bit-identical for every division of the fleet into parts.
struct EventTotals {
  std::uint64_t events = 0;
  double duration_ns = 0;       // beyond int64_t, 292 years, in large fleets
  double duration_squares = 0;  // s^2
  std::int64_t shortest_ns = 0, longest_ns = 0;
  Timestamp first_start, last_stop;
  PerMetric<double> nearest{};  // sums over STARTs and STOPs
  PerMetric<std::uint64_t> nearest_rows{};
  std::uint64_t nearest_idle = 0;            // STARTs and STOPs whose nearest sample has utilization 0
  PerMetric<double> mean{}, mean_squares{};  // sums of the means of fully covered events
  PerMetric<std::uint64_t> mean_events{};
  Joules energy;  // of all events, over the time covered by samples
  double variance = 0;
  Joules whole_energy;  // of fully covered events that are not indivisible
  std::uint64_t whole_events = 0;
  Joules exclusive_energy;
  Seconds exclusive_time;
  std::uint64_t between_samples = 0, uncovered = 0, part_covered = 0, indivisible = 0;
  void add(std::int64_t start_ns, std::int64_t stop_ns, const EventTelemetry& telemetry);
  void merge(const EventTotals& other);
  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

}  // namespace ergon::fleet
