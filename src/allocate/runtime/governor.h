#pragma once

#include <cstddef>

#include "allocate/runtime/schedule_file.h"
#include "base/units.h"

namespace ergon::allocate {

// ARADA's runtime resource manager. Follows a plan layer by layer, estimates from each measured layer time
// which share of the memory bandwidth is left, and uses the plan's rows for that share from the next layer
// on.
//
// Its state. The functions are pure, so they work with simulated and real accelerators.
struct GovernorState {
  double share = 1;  // last estimate of the available bandwidth
  std::size_t uninformative =
      0;             // consecutive layers that did not reveal the share but would have with the first row
  Seconds delay;     // accumulated, relative to the first rows at the estimated shares
  Seconds expected;  // accumulated time of the first rows
};

// The row for a layer: that of the next higher share, because a plan for more bandwidth is never slower. The
// first row if too much time was lost, if less bandwidth is left than the plan has rows for, or if the share
// was not revealed for some layers: a layer slowed until it does not stall takes the same time when bandwidth
// returns, so occasionally one must run at the clock of the first row, where the time depends on the
// bandwidth.
std::size_t choose_row(const schedule::File& plan, const GovernorState& state, std::size_t layer);

// Updates the state with the measured time of a layer at a row.
void observe(const schedule::File& plan, GovernorState& state, std::size_t layer, std::size_t row,
             Seconds measured);

// The shares at which a row takes this long, within the timing noise.
struct BandwidthShareRange {
  double low = 0, high = 1;
};
BandwidthShareRange shares_of(const schedule::File& plan, const schedule::Row& row, Seconds measured);

}  // namespace ergon::allocate
