#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Finds hosts whose GPU samples and events have different clocks. Utilization around START then has the
// pattern of the other hosts, shifted by up to 20 s (`skew`), or no such pattern and much utilization outside
// events (`skew_unclear`). Needs at least eight hosts, most of them without skew. Contract: `hosts` are the
// hosts of the tally, in its order.
void find_skew(const Tally& tally, std::vector<HostSummary>& hosts);

}  // namespace ergon::fleet
