#pragma once

#include <cstddef>

#include "allocate/runtime/schedule_file.h"
#include "base/units.h"

namespace ergon::allocate {

// ARADA's run-time resource manager: it follows a plan layer by layer, learns from each layer's measured time
// how much of the memory's bandwidth is left, and takes the plan's rows for that share from the next layer
// on.
//
// What it knows. Value in, value out, so that it runs on a simulated accelerator as on a real one.
struct GovernorState {
  double share = 1;  // of the bandwidth, as last seen
  std::size_t unsure =
      0;             // layers that did not tell the share, though at the first row's clock they would have
  Seconds lateness;  // behind the first rows of the plan, at the shares seen
  Seconds expected;  // what those would have taken
};

// The row of the plan to run a layer by: that of the next higher share, because a plan for more bandwidth is
// never later. The first row when too much time has been lost, when less bandwidth is left than the plan has
// rows for, and when the share has not been told for some layers: a layer that is slowed until it does not
// wait takes the same time when bandwidth comes back, so now and then one has to be run at the clock of the
// first row, where it would show.
std::size_t choose_row(const schedule::File& plan, const GovernorState& state, std::size_t layer);

// The layer has been run by that row and took so long.
void observe(const schedule::File& plan, GovernorState& state, std::size_t layer, std::size_t row,
             Seconds measured);

// The shares at which a row takes this long, give or take a little.
struct ShareRange {
  double low = 0, high = 1;
};
ShareRange shares_of(const schedule::File& plan, const schedule::Row& row, Seconds measured);

}  // namespace ergon::allocate
