#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Reasons for unpaired checkpoints. A START on one host and a later STOP of the same task and event on
// another host is an event that crosses hosts; it is attributed to no GPU.
UnpairedCounts unpaired_of(const Tally& tally);

}  // namespace ergon::fleet
