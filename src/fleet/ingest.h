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

struct Inputs {
  std::vector<Log::Source> logs;
  std::optional<std::filesystem::path> tasks;  // which level a task belongs to
  Mapping task_mapping;
  std::int64_t zone_ns = 0;  // of times that do not say theirs
  std::size_t workers = 0;   // 0: as many as the machine has
  // Makes a source that is no file. It may keep the vocabulary.
  std::vector<std::function<std::unique_ptr<Source>(Vocabulary&)>> others;
};

// An event that lies in no other of its task, as it is told to whoever wants to know every one.
struct TaskRun {
  std::string_view host, task, event, level;
  const Event& when;
  const Joined& joined;
};

struct Watch {
  std::function<void(std::size_t done, std::size_t total)> on_progress;
  std::function<Result<>(const TaskRun&)> on_task;
  std::function<Result<>()> on_restart;  // what was told so far is told again
  std::stop_token stop;
};

struct Reading {
  Tally tally;
  bool streamed = false;  // rows came in the order of time, and only a stretch of it was kept in memory
  std::vector<std::string> remarks;
};

// Reads everything once, or twice where rows that seemed to come in the order of time do not. While they do,
// memory holds a minute or two of the fleet, an event that is under way, and eight bytes for each task; else
// all rows.
Result<Reading> read_fleet(const Inputs& inputs, const Rules& rules, const Watch& watch);

}  // namespace ergon::fleet
