#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"

namespace ergon::service {

enum class JobState : std::uint8_t {
  running,
  done,
  failed,
  cancelled,    // somebody asked for it
  interrupted,  // the server ended before it
};
std::string_view name_of(JobState state);

struct JobProgress {
  std::string label, unit;
  std::uint64_t done = 0, total = 0;  // of 0: nobody knows

  friend bool operator==(const JobProgress&, const JobProgress&) = default;
};

// Long work: a run of the command line, kept in a folder of its own.
struct Job {
  std::string id;
  std::string command;  // of job_kinds()
  std::string title;
  nlohmann::ordered_json options;  // as they were asked for
  JobState state = JobState::running;
  Timestamp created;
  std::optional<Timestamp> ended;
  std::optional<int> exit_code;
  std::string message;  // the last words of a failure
  bool resumable = false;
  bool result = false;     // there is a document
  bool simulated = false;  // as far as is known; its document has the last word
  // Of now; not kept.
  std::optional<JobProgress> progress;
  std::optional<Watts> cap;

  bool running() const { return state == JobState::running; }
};

nlohmann::ordered_json job_json(const Job& job);
// The same as a line of text.
std::string job_text(const Job& job);
// What job_json() wrote, from a file that anybody may have changed.
Result<Job> job_of(const nlohmann::ordered_json& json);

// "20181108-074130-sweep-2": letters, digits and dashes, so that it names a folder and nothing else.
bool is_job_id(std::string_view text);

}  // namespace ergon::service
