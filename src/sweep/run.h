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

// What a run measures.
enum class Scenario : std::uint8_t {
  steady,     // warm and repeated; time and energy of one iteration
  execution,  // set up the network and predict once; time and energy of all of it
};
inline constexpr Scenario kScenarios[] = {Scenario::steady, Scenario::execution};
std::string_view name_of(Scenario scenario);

// One repetition of a network at a clock. The fields identify a run on its device.
struct Run {
  std::string network;
  std::int64_t batch = 1;
  Scenario scenario = Scenario::steady;
  std::optional<Hertz> clock;   // absent: default clock
  std::int64_t repetition = 1;  // from 1

  friend auto operator<=>(const Run&, const Run&) = default;
};

// Result of a run. Values that were not measured are absent.
struct RunRow {
  Run run;
  std::string device;  // product name and UUID: "NVIDIA H200 GPU-5fb1..."
  bool simulated = false;

  std::optional<Hertz>
      clock_observed;  // during the run; if it changed, the one furthest from the requested clock
  std::optional<Seconds> time;
  std::optional<Watts> power_max, power_mean;        // highest reading; energy over time
  std::optional<Joules> energy, energy_uncertainty;  // half a 95 % interval
  std::optional<Celsius> temperature;                // the highest
  std::vector<std::string> event_reasons;            // NVML clocks event reasons during the run

  bool valid = true;
  std::vector<std::string> reasons;  // codes of why it is not valid: docs/sweep.md
  Timestamp started_at;
};

}  // namespace ergon::sweep
