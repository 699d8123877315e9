#pragma once

#include "systolic/layer_timing.h"
#include "systolic/miss_schedule.h"
#include "systolic/pace.h"

namespace ergon::systolic {

// Ergon's own timing: what the same misses cost when all three operands go through one memory channel and
// nothing is counted twice.
//
//   - A cycle is a line or a stall: the last line counts too.
//   - The other half of a read scratchpad takes one piece ahead, and the next piece only when the halves have
//     changed places. SCALE-Sim's prefetcher runs ahead without bound.
//   - Pieces are as large as what they hold, not rounded up to the port.
//   - The output scratchpad hands over a half when that half is full; the array waits only if the half before
//     is not out yet. Every word is written once.
//   - The channel serves pieces in the order in which they are asked for. That order is the same for every
//     bandwidth, which makes time a chain of maxima and sums: a faster channel is never slower in total.
//
// Contract: words_per_cycle > 0; it need not be whole.
LayerTiming share_channel(const MissSchedule& schedule, double words_per_cycle);

// The same with the array at another pace than the memory.
PacedTiming share_channel(const MissSchedule& schedule, double words_per_cycle, const Pace& pace);

// With as much bandwidth as it takes: nothing waits. Fetches are those of the epochs.
LayerTiming share_channel(const EpochSchedule& schedule);

}  // namespace ergon::systolic
