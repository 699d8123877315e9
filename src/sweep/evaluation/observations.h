#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/evaluation/observation.h"
#include "sweep/run.h"

namespace ergon::sweep {

// A run as some source tells it: any part may be absent.
struct RawObservation {
  std::string network, device, scenario;
  std::int64_t batch = 0;
  std::optional<double> clock_requested_hertz, clock_observed_hertz;
  std::optional<double> time_seconds, power_max_watts, power_mean_watts, energy_joules;
  std::string no_number = {};  // a part that holds something else than a number or nothing: "time"
  bool valid = true;
  std::string reasons;  // "code;code"
  bool simulated = false;
};

// Takes the run in, or counts why it is left out: it is not valid, or lacks network, clock, time or power, or
// one of its amounts cannot be one (no number, 0, below 0, not between 10^-12 and 10^12).
void take(const RawObservation& raw, Observations& into);

// Our own rows, without a file between.
Observations observations_of(const std::vector<RunRow>& rows);

}  // namespace ergon::sweep
