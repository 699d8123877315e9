#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr PerMetric<double> kAllUnknown{kUnknown, kUnknown, kUnknown, kUnknown};

// What one GPU did during one event.
struct Share {
  PerMetric<double> integral{};  // of each metric over the seconds in which it is known
  PerMetric<double> seconds{};
  double variance = 0;  // of the energy, in square joules: what may have happened between two samples
  Joules own_energy;    // while no event inside this one was under way
  Seconds own_time;
  PerMetric<double> at_start = kAllUnknown, at_stop = kAllUnknown;  // of the nearest sample
  std::uint32_t samples = 0;                                        // inside of it
};

// Energy and time.
struct Spent {
  Joules energy;
  Seconds time;

  Spent& operator+=(const Spent& more) {
    energy += more.energy;
    time += more.time;
    return *this;
  }
  friend bool operator==(const Spent&, const Spent&) = default;
};

// What one GPU did altogether.
struct GpuSums {
  std::uint64_t samples = 0, duplicates = 0;
  PerMetric<double> sum{};
  PerMetric<std::uint64_t> count{};
  Timestamp first, last;
  Spent total, idle_before, idle_between, idle_after;  // before, between and after its host's events
  Spent events;                                        // what events got, each moment once
  std::uint64_t gaps = 0;                              // times without samples, longer than is bridged
  Seconds gap_time;
  std::uint64_t busy = 0, busy_outside = 0;  // samples with some utilisation; outside of all events

  Spent idle() const {
    Spent all = idle_before;
    all += idle_between;
    all += idle_after;
    return all;
  }
  friend bool operator==(const GpuSums&, const GpuSums&) = default;
};

}  // namespace ergon::fleet
