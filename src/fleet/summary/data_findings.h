#pragma once

#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {

// Data quality problems: rows that were not used, clocks that disagree, statistics that mislead.
std::vector<Finding> data_findings(const Tally& tally, const FleetSummary& summary);

}  // namespace ergon::fleet
