#pragma once

#include <filesystem>

#include "base/result.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::report {

// Writes the tables of a summary: events.csv, levels.csv, hosts.csv, gpus.csv, stragglers.csv and
// findings.csv.
Result<> write_fleet_tables(const fleet::FleetSummary& summary, const std::filesystem::path& folder);

}  // namespace ergon::report
