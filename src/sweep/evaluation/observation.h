#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace ergon::sweep {

// A valid run as the evaluation sees it, from our own files or from elsewhere.
struct Observation {
  std::string network;
  std::string device, scenario;  // empty where the source does not tell
  std::int64_t batch = 0;        // 0: likewise
  Hertz clock;                   // that was asked for, or else the one observed
  Seconds time;
  std::optional<Watts> power_max, power_mean;
  std::optional<Joules> energy;  // absent: power_mean times time, if there is that

  // By group, then clock, then all values: the order that makes results independent of a file's.
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

// All runs of a table, and what was left out of them.
struct Observations {
  std::vector<Observation> runs;
  std::map<std::string, std::int64_t> left_out;   // by reason: "invalid: clock_changed", "no clock", ...
  bool simulated = false, all_simulated = false;  // some of them, all of them
};

}  // namespace ergon::sweep
