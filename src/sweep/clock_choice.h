#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ergon::sweep {

// Which clocks a sweep visits.
struct AllClocks {
  friend bool operator==(const AllClocks&, const AllClocks&) = default;
};
struct OwnClock {  // the one the device is at: nothing is locked
  friend bool operator==(const OwnClock&, const OwnClock&) = default;
};
using ClockChoice = std::variant<AllClocks, OwnClock, std::size_t, std::vector<Hertz>>;

// "all", "own", a number of clocks ("196") or a list of them ("900MHz,1.2GHz"). Errors: neither; a list with
// a number that has no unit.
Result<ClockChoice> parse_clock_choice(const std::string& text);

// The clocks themselves, ascending; nothing stands for the device's own. A number of clocks is spread evenly
// over the supported ones, the ends included; of a list each becomes the supported clock that is nearest, as
// far as it is within half a step. `supported` is ascending. Errors: more clocks than there are; a clock
// outside the range, or that lies between two, naming its neighbours; no clocks to choose from.
Result<std::vector<std::optional<Hertz>>> chosen_clocks(const ClockChoice& choice,
                                                        const std::vector<Hertz>& supported);

// How far an observed clock may be from this one and still be it: half of what lies between it and its
// nearest neighbour, and 1 MHz at least.
Hertz clock_tolerance(Hertz clock, const std::vector<Hertz>& supported);

}  // namespace ergon::sweep
