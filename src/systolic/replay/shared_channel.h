#pragma once

#include "systolic/replay/layer_timing.h"
#include "systolic/replay/pace.h"
#include "systolic/trace/miss_schedule.h"

namespace ergon::systolic {

// Ergon's own timing (Semantics::ergon): the three operands share one memory channel, and nothing is counted
// twice.
//
//   - Every cycle is a line or a stall; the last line counts too.
//   - A read scratchpad prefetches one piece, and the next one only after its halves have been swapped.
//     SCALE-Sim's prefetcher runs ahead without bound.
//   - A piece has the size of its data, not rounded up to the port.
//   - The output scratchpad starts to drain a half when that half is full. The array waits only if the other
//     half is still draining. Every word is written once.
//   - The channel serves pieces in the order of their requests. The order does not depend on the bandwidth.
//     Time is therefore a chain of maxima and sums, and more bandwidth never takes longer in total.
//
// Contract: words_per_cycle > 0, not necessarily an integer.
LayerTiming share_channel(const MissSchedule& schedule, double words_per_cycle);

// The same with the array at another clock than the memory.
PacedTiming share_channel(const MissSchedule& schedule, double words_per_cycle, const Pace& pace);

// With unlimited bandwidth: nothing stalls. The fetches are those of the epochs.
LayerTiming share_channel(const EpochSchedule& schedule);

}  // namespace ergon::systolic
