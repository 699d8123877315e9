#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweep/run.h"

namespace ergon::sweep {

// What a sweep consists of.
struct Grid {
  std::vector<std::string> networks;
  std::vector<std::optional<Hertz>> clocks;
  std::int64_t repetitions = 1;
  std::int64_t batch = 1;
  Scenario scenario = Scenario::steady;
};

// Every network at every clock, so many times, in an order that only the seed decides: whatever drifts while
// a sweep goes on, such as the room's temperature, then looks like noise and not like an effect of the clock.
std::vector<Run> plan(const Grid& grid, std::uint64_t seed);

}  // namespace ergon::sweep
