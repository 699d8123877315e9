#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::service {

enum class JobState : std::uint8_t {
  queued,  // starts when fewer jobs run
  running,
  done,
  failed,
  cancelled,    // by a request
  interrupted,  // the server ended while it ran
};
std::string_view name_of(JobState state);
// All states, in the order of the enumeration.
std::span<const std::string_view> job_state_names();

struct JobProgress {
  std::string label, unit;
  std::uint64_t done = 0, total = 0;  // total 0: unknown

  friend bool operator==(const JobProgress&, const JobProgress&) = default;
};

// A long-running command with its own folder.
struct Job {  // NOLINT(bugprone-exception-escape): moving a JSON value does not throw
  std::string id;
  std::string command;  // of job_kinds()
  std::string title;
  nlohmann::ordered_json options;  // as posted, but without nulls, and with lists as text
  JobState state = JobState::running;
  Timestamp created;
  std::optional<Timestamp> ended;
  std::optional<int> exit_code;
  std::string message;  // why it failed, was interrupted or waits
  bool resumable = false;
  bool result = false;     // a result document exists
  bool simulated = false;  // estimated from the options until the result exists
  // Current values, not stored.
  std::optional<JobProgress> progress;
  std::optional<Watts> cap;

  bool running() const { return state == JobState::running; }
  // Queued or running.
  bool active() const { return running() || state == JobState::queued; }
};

nlohmann::ordered_json job_json(const Job& job);
// job_json() as one line of text.
std::string job_text(const Job& job);
// Reads job_json() output. The file may have been edited, so everything is checked.
Result<Job> job_of(const nlohmann::ordered_json& json);

// "20181108-074130-sweep-2": letters, digits and dashes only, so that it is a valid folder name.
bool is_job_id(std::string_view text);

}  // namespace ergon::service
