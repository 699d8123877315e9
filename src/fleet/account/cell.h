#pragma once

#include <cstdint>

#include "base/timestamp.h"
#include "fleet/account/share.h"

namespace ergon::fleet {

// What the GPUs of a host did during an event: power and energy added up, the rest in the mean.
struct Joined {
  PerMetric<double> at_start = kAllUnknown, at_stop = kAllUnknown;  // by the nearest samples
  PerMetric<double> mean = kAllUnknown;                             // by the whole interval
  Joules energy;
  double variance = 0;  // of it, in square joules
  Joules own_energy;
  Seconds own_time;
  double coverage = 0;           // share of the time of its GPUs that samples tell of
  bool between_samples = false;  // no sample lies inside

  // Less than all is what samples tell of a part of an event: no mean of it is one of the whole.
  bool whole() const { return coverage > 1 - 1e-9; }
};

// All events of one name and level on one host. Sums are of one host's events in the order of their starts,
// so that they are the same however the fleet is cut into parts.
struct Cell {
  std::uint64_t events = 0;
  std::int64_t duration_ns = 0;
  double duration_squares = 0;  // s^2
  std::int64_t shortest_ns = 0, longest_ns = 0;
  Timestamp first_start, last_stop;
  PerMetric<double> nearest{};  // sums over STARTs and STOPs
  PerMetric<std::uint64_t> nearest_rows{};
  std::uint64_t nearest_unused = 0;  // STARTs and STOPs at which the nearest sample shows no utilisation
  PerMetric<double> mean{}, mean_squares{};  // sums over events of their means, if samples tell of all of it
  PerMetric<std::uint64_t> mean_events{};
  Joules energy;  // of all events, as far as samples tell
  double variance = 0;
  Joules whole_energy;  // of those that samples tell of from START to STOP
  std::uint64_t whole_events = 0;
  Joules own_energy;
  Seconds own_time;
  std::uint64_t between_samples = 0, uncovered = 0, part_covered = 0;
  void add(std::int64_t start_ns, std::int64_t stop_ns, const Joined& joined);
  void merge(const Cell& other);
  friend bool operator==(const Cell&, const Cell&) = default;
};

}  // namespace ergon::fleet
