#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ergon::sweep {

// A valid run for the evaluation, from runs.csv or another table.
struct Observation {
  std::string network;
  std::string device, scenario;  // empty if unknown
  std::int64_t batch = 0;        // 0: unknown
  Hertz clock;                   // requested; observed if none was requested
  Seconds time;
  std::optional<Watts> power_max, power_mean;
  std::optional<Joules> energy;  // absent: power_mean times time, if known

  // By group, clock, then all values. Sorting makes results independent of the order in a file.
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

// The usable runs of a table, and the numbers of excluded runs by reason.
struct Observations {
  std::vector<Observation> runs;
  std::map<std::string, std::int64_t> excluded;   // by reason: "invalid: clock_changed", "no clock", ...
  bool simulated = false, all_simulated = false;  // some runs; all runs
};

}  // namespace ergon::sweep
