#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr PerMetric<double> kAllUnknown{kUnknown, kUnknown, kUnknown, kUnknown};

// Totals of one GPU during one event.
struct GpuEventTotals {
  PerMetric<double> integral{};  // of each metric over the time in which it is known
  PerMetric<double> seconds{};   // that time
  double variance = 0;           // of the energy, in square joules, from the unknown power between samples
  Joules exclusive_energy;       // excluding the time of events inside this one
  Seconds exclusive_time;
  PerMetric<double> at_start = kAllUnknown, at_stop = kAllUnknown;  // of the nearest sample
  std::uint32_t samples = 0;                                        // inside the event
};

struct EnergyTime {
  Joules energy;
  Seconds time;

  EnergyTime& operator+=(const EnergyTime& more) {
    energy += more.energy;
    time += more.time;
    return *this;
  }
  friend bool operator==(const EnergyTime&, const EnergyTime&) = default;
};

// Totals of one GPU.
struct GpuSums {
  std::uint64_t samples = 0, duplicates = 0;
  PerMetric<double> sum{};
  PerMetric<std::uint64_t> count{};
  Timestamp first, last;
  EnergyTime total, idle_before, idle_between, idle_after;  // relative to its host's events
  EnergyTime events;                                        // during events; overlapping events count once
  std::uint64_t gaps = 0;  // times between samples that exceed AnalysisRules::gap
  Seconds gap_time;
  std::uint64_t busy = 0, busy_outside = 0;  // samples with utilization above 0; outside all events

  EnergyTime idle() const {
    EnergyTime all = idle_before;
    all += idle_between;
    all += idle_after;
    return all;
  }
  friend bool operator==(const GpuSums&, const GpuSums&) = default;
};

}  // namespace ergon::fleet
