#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// A GPU is measured idle between two samples that both show at most this utilization and this power. The
// devices in data/devices draw 10 to 84 W without load, and more while a program is loaded; a utilization of
// 0 at a multiple of that power is contradictory.
inline constexpr double kMaxIdlePercent = 5, kMaxIdleWatts = 200;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr PerMetric<double> kAllUnknown{kUnknown, kUnknown, kUnknown, kUnknown};

// Totals of one GPU during one event. Tasks at the same time have equal shares of the power.
struct GpuEventTotals {
  PerMetric<double> integral{};  // of each metric over the time in which it is known
  PerMetric<double> seconds{};   // that time
  bool shared = false;           // with other tasks at the same time
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

// Totals of one GPU: total = events + idle() + unattributed.
struct GpuSums {
  std::uint64_t samples = 0, duplicates = 0;
  PerMetric<double> sum{};
  PerMetric<std::uint64_t> count{};
  Timestamp first, last;
  EnergyTime total;
  // Outside events and measured idle; before, between and after the events of its host.
  EnergyTime idle_before, idle_between, idle_after;
  EnergyTime unattributed;  // outside events and not idle, or of unknown utilization
  EnergyTime events;        // during events; overlapping events count once
  EnergyTime shared;        // the part of `events` in which several tasks ran
  std::uint64_t gaps = 0;   // times between samples that exceed AnalysisRules::gap
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
