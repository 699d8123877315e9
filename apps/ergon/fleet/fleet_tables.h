#pragma once

#include <filesystem>

#include "base/result.h"
#include "fleet/summary/fleet_summary.h"
#include "table/table.h"

namespace ergon::app {

// Tables of a summary, for --out.
table::Table fleet_event_table(const std::vector<fleet::EventSummary>& events, const std::string& name);
table::Table fleet_host_table(const fleet::FleetSummary& summary);
table::Table fleet_gpu_table(const fleet::FleetSummary& summary);
table::Table fleet_task_table(const fleet::FleetSummary& summary);
table::Table fleet_finding_table(const fleet::FleetSummary& summary);

// events.csv, levels.csv, hosts.csv, gpus.csv, stragglers.csv and findings.csv.
Result<> write_fleet_tables(const fleet::FleetSummary& summary, const std::filesystem::path& folder);

}  // namespace ergon::app
