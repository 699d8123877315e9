#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// Finds hosts whose samplers' clocks disagree with their events': their utilisation around STARTs has the
// pattern of the other hosts, shifted by up to twenty seconds; or it has none and lies outside of events.
// Needs eight hosts of which most are right. Contract: `hosts` are those of the tally, in its order.
void find_skew(const Tally& tally, std::vector<HostAnswer>& hosts);

}  // namespace ergon::fleet
