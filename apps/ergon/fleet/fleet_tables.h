#pragma once

#include <filesystem>

#include "base/result.h"
#include "fleet/answers/answers.h"
#include "table/table.h"

namespace ergon::app {

// The answers as tables: what --out writes and `--by` shows.
table::Table fleet_event_table(const std::vector<fleet::EventAnswer>& events, const std::string& name);
table::Table fleet_host_table(const fleet::FleetAnswers& answers);
table::Table fleet_gpu_table(const fleet::FleetAnswers& answers);
table::Table fleet_task_table(const fleet::FleetAnswers& answers);
table::Table fleet_finding_table(const fleet::FleetAnswers& answers);

// events.csv, levels.csv, hosts.csv, gpus.csv, stragglers.csv and findings.csv.
Result<> write_fleet_tables(const fleet::FleetAnswers& answers, const std::filesystem::path& folder);

}  // namespace ergon::app
