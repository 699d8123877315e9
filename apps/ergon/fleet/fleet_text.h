#pragma once

#include <string>

#include "fleet/fleet_output.h"
#include "report/table_style.h"

namespace ergon::app {

// Text report: the tables of --by, energy, populations, recommendations and data quality.
std::string fleet_text(const fleet::FleetSummary& summary, const FleetOutput& output,
                       const report::TableStyle& style);

}  // namespace ergon::app
