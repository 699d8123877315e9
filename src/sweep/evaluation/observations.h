#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/evaluation/observation.h"
#include "sweep/run.h"

namespace ergon::sweep {

// A run before validation; any value may be absent.
struct RawObservation {
  std::string network, device, scenario;
  std::int64_t batch = 0;
  std::optional<double> clock_requested_hertz, clock_observed_hertz;
  std::optional<double> time_seconds, power_max_watts, power_mean_watts, energy_joules;
  std::string invalid_number = {};  // name of a field whose text is not a number, for example "time"
  bool valid = true;
  std::string reasons;  // "code;code"
  bool simulated = false;
};

// Adds the run, or counts the reason for its exclusion: it is not valid; it has no network, clock, time or
// power; a value is not a number or not between 10^-12 and 10^12.
void take(const RawObservation& raw, Observations& into);

// Observations of rows in memory.
Observations observations_of(const std::vector<RunRow>& rows);

}  // namespace ergon::sweep
