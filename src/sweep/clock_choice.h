#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "sweep/run_executor.h"

namespace ergon::sweep {

// The clocks of a sweep.
struct AllClocks {
  friend bool operator==(const AllClocks&, const AllClocks&) = default;
};
struct DefaultClock {  // unlocked
  friend bool operator==(const DefaultClock&, const DefaultClock&) = default;
};
using ClockChoice = std::variant<AllClocks, DefaultClock, std::size_t, std::vector<Hertz>>;

// "all", "default", a number of clocks ("196") or a list ("900MHz,1.2GHz"). Errors: any other text; a clock
// without a unit in a list.
Result<ClockChoice> parse_clock_choice(std::string_view text);

// The clocks of a choice, ascending; absent stands for the default clock. A number of clocks is spread evenly
// over the supported ones, including the ends. A clock of a list becomes the nearest supported one, if it is
// within half a step. `supported` is ascending. Errors: more clocks than supported; a clock outside the range
// or between two steps (the message names its neighbors); no supported clocks.
Result<std::vector<std::optional<Hertz>>> chosen_clocks(const ClockChoice& choice,
                                                        const std::vector<Hertz>& supported);

// The same with the clocks of an executor's device, which is asked for them only if the choice needs them.
// Errors: also those of the executor.
Result<std::vector<std::optional<Hertz>>> chosen_clocks(const ClockChoice& choice, RunExecutor& executor);

// Maximum distance of an observed clock that counts as `clock`: half the distance to its nearest neighbor, at
// least 1 MHz.
Hertz clock_tolerance(Hertz clock, const std::vector<Hertz>& supported);

}  // namespace ergon::sweep
