#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "fleet/reading/log.h"
#include "fleet/reading/source.h"
#include "fleet/tally.h"

namespace ergon::fleet {

struct FleetInputs {
  std::vector<LogInput> logs;
  std::optional<std::filesystem::path> tasks;  // CSV file with the level of each task
  ColumnMapping task_mapping;
  std::int64_t zone_ns = 0;  // offset from UTC of timestamps without a time zone
  std::size_t workers = 0;   // threads; 0: one per processor
  // Factories of sources other than files. A source may keep a reference to the name tables.
  std::vector<std::function<std::unique_ptr<TelemetrySource>(NameTables&)>> others;
};

// An outermost event of a task: no other event of the same task was running at its START.
struct TaskRun {
  std::string_view host, task, event, level;
  const Event& when;
  const EventTelemetry& telemetry;
  bool simulated = false;  // a row that was read so far is marked as simulated, or its job is
};

struct IngestCallbacks {
  std::function<void(std::size_t done, std::size_t total)> on_progress;
  std::function<Result<>(const TaskRun&)> on_task;
  std::function<Result<>()> on_restart;  // reading starts over; on_task will report every task again
  std::stop_token stop;
};

struct IngestResult {
  Tally tally;
  bool streamed = false;  // rows were ordered by time, so only a window of them was held in memory
  std::vector<std::string> warnings;
};

// Reads all inputs. Logs that look ordered by time are streamed: memory holds one or two minutes of rows, the
// open events and eight bytes per task. If a row then arrives out of order, everything is read a second time
// with all rows in memory.
Result<IngestResult> read_fleet(const FleetInputs& inputs, const AnalysisRules& rules,
                                const IngestCallbacks& callbacks);

}  // namespace ergon::fleet
