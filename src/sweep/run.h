#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::sweep {

// What one run consists of.
enum class Scenario : std::uint8_t {
  steady,     // warm, iteration after iteration; time and energy are of one iteration
  execution,  // the network is set up and predicts once; time and energy are of all of it
};
std::string_view name_of(Scenario scenario);

// One cell of a sweep, one time. Its fields are what tells runs of one device apart.
struct Run {
  std::string network;
  std::int64_t batch = 1;
  Scenario scenario = Scenario::steady;
  std::optional<Hertz> clock;   // nothing: the one the device is at
  std::int64_t repetition = 1;  // from 1

  friend auto operator<=>(const Run&, const Run&) = default;
};

// What came of a run. What was not measured is absent.
struct RunRow {
  Run run;
  std::string device;  // the product and which one: "NVIDIA H200 GPU-5fb1..."
  bool simulated = false;

  std::optional<Hertz> clock_observed;  // while it ran; where it moved, the one furthest from the request
  std::optional<Seconds> time;
  std::optional<Watts> power_max, power_mean;        // the highest reading; the energy over the time
  std::optional<Joules> energy, energy_uncertainty;  // half a 95 % interval
  std::optional<Celsius> temperature;                // the highest
  std::vector<std::string> event_reasons;            // that the device gave for its clock

  bool valid = true;
  std::vector<std::string> reasons;  // codes that speak against it: docs/sweep.md
  Timestamp started_at;
};

}  // namespace ergon::sweep
