#pragma once

#include <string>

#include "fleet/fleet_output.h"
#include "report/table_style.h"

namespace ergon::app {

// What a person reads: events by both joins, energy, populations, what to mend and what is wrong with the
// data; and the parts that --by asks for.
std::string fleet_text(const fleet::FleetAnswers& answers, const FleetOutput& output, const report::TableStyle& style);

}  // namespace ergon::app
