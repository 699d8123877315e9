#pragma once

#include <string>

#include "sweep/run.h"

namespace ergon::sweep::test {

// A row with all values.
inline RunRow some_row(std::int64_t repetition = 1, double mhz = 900) {
  RunRow row;
  row.run = {"resnet50", 8, Scenario::steady, Hertz{mhz * 1e6}, repetition};
  row.device = "NVIDIA H200 GPU-1";
  row.simulated = true;
  row.clock_observed = Hertz{885e6};
  row.time = Seconds{0.0123};
  row.power_max = Watts{250.5};
  row.power_mean = Watts{200};
  row.energy = Joules{2.46};
  row.energy_uncertainty = Joules{0.05};
  row.temperature = Celsius{41.5};
  row.event_reasons = {"power_cap", "idle"};
  row.valid = false;
  row.reasons = {"clock_changed", "too_short"};
  row.started_at = Timestamp{1'700'000'000'000'000'000};
  return row;
}

}  // namespace ergon::sweep::test
