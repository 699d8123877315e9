#pragma once

#include "allocate/schedule.h"

namespace ergon::reproduce {

// Measures of a schedule in percent, as the figures of the paper show them.
inline double layer_mean(const allocate::Schedule& s) { return 100 * s.by_work.layer_mean; }
inline double printed_mean(const allocate::Schedule& s) { return 100 * s.as_printed.layer_mean; }
inline double weighted(const allocate::Schedule& s) { return 100 * s.by_work.energy_weighted; }
inline double printed_weighted(const allocate::Schedule& s) { return 100 * s.as_printed.energy_weighted; }
inline double bandwidth(const allocate::Schedule& s) { return 100 * s.bandwidth_reduction; }
inline double saved(const allocate::Schedule& s) { return 100 * (1 - s.energy_ratio); }
// Time beyond race to idle.
inline double slowdown(const allocate::Schedule& s) {
  return 100 * ((s.simulated / s.race_to_idle).si() - 1);
}

}  // namespace ergon::reproduce
