#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweep/run.h"

namespace ergon::sweep {

// The runs of a sweep: every network at every clock, `repetitions` times.
struct Grid {
  std::vector<std::string> networks;
  std::vector<std::optional<Hertz>> clocks;
  std::int64_t repetitions = 1;
  std::int64_t batch = 1;
  Scenario scenario = Scenario::steady;
};

// The runs of a grid in random order. A drift during the sweep, for example of the room temperature, then
// looks like noise and not like an effect of the clock.
std::vector<Run> plan(const Grid& grid, std::uint64_t seed);

}  // namespace ergon::sweep
