#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "service/jobs/decision_log.h"
#include "service/jobs/folder_size.h"
#include "service/jobs/job.h"
#include "service/jobs/job_folder.h"
#include "service/jobs/job_limits.h"

namespace ergon::service {

// A running cap job.
struct HeldCap {
  Job job;
  nlohmann::ordered_json decision;  // the latest, as in the log
  std::uint64_t decisions = 0;
  std::uint64_t violations = 0;  // decisions whose power was above the cap
};

// Whether a command can be run, as its options show. `words` is the command line without the program name.
using CheckCommand = std::function<Result<>(const std::vector<std::string>& words)>;

// All jobs, stored in a folder: one subfolder per job with its options, output and document. Jobs persist
// across restarts of the server. Jobs that ran when the server ended become `interrupted` and can be resumed
// if their command supports it. Thread-safe.
//
// Jobs beyond the number that may run are queued and start in the order in which they came, also after a
// restart. A job that exceeds a limit is stopped and fails; its partial result is kept. Nothing is deleted to
// make room.
class Jobs {
 public:
  // `folder` is inside the results folder. `program` is the path of the ergon program. `check` is asked
  // before a job is accepted. Errors: the folder cannot be created or another server uses it.
  static Result<std::unique_ptr<Jobs>> open(const std::filesystem::path& folder, const std::string& program,
                                            const Clock& clock, const JobLimits& limits = {},
                                            CheckCommand check = {});
  ~Jobs();  // stops running jobs and waits for them

  std::vector<std::string> ids() const;  // newest first
  std::vector<JobState> states() const;
  Result<Job> find(const std::string& id) const;

  // `options` is a JSON object. The job runs or is queued. Errors: unknown command, invalid options, too many
  // jobs; out_of_memory: the results folder is full.
  Result<Job> start(std::string_view command, const nlohmann::ordered_json& options);
  // start() and resume() are refused until a queued job begins.
  bool queue_full() const;
  Result<Job> cancel(const std::string& id);
  Result<Job> resume(const std::string& id);
  Result<> remove(const std::string& id);
  Result<Job> set_cap(const std::string& id, Watts cap);
  std::filesystem::path document_file(const std::string& id) const { return folder_.document_of(id); }
  // The result document. Errors: not_found.
  Result<std::filesystem::path> result_file(const std::string& id) const;

  // What a follower of a job has seen. Used by one thread.
  struct Cursor {
    std::string id;
    DecisionLog decisions;
    std::uint64_t version = 0;
  };
  // From the start, without the first `decisions_seen` decisions. Errors: not_found.
  Result<Cursor> cursor(const std::string& id, std::uint64_t decisions_seen = 0) const;

  // What is new since the cursor's last update.
  struct JobUpdate {
    std::optional<Job> job;              // empty if unchanged, or if decisions are left for the next update
    std::vector<std::string> decisions;  // the next ones, JSON texts; cap jobs only
    bool over = false;                   // the job has ended, and this update is the last one
  };
  // Waits for changes, up to `timeout` or until a stop is requested. May return an update without changes.
  Result<JobUpdate> follow(Cursor& cursor, Seconds timeout, const std::stop_token& stop = {}) const;

  std::vector<HeldCap> held_caps() const;

 private:
  struct Entry;

  Jobs(JobFolder folder, std::string program, const Clock& clock, const JobLimits& limits,
       CheckCommand check);
  Result<Entry*> entry(const std::string& id) const;
  std::size_t running_jobs() const;
  Result<> check_limits(const Job& job) const;
  Result<> check_quota() const;  // call it without the lock
  Result<> begin(Entry& entry);
  Result<> begin_or_queue(Entry& entry);
  void begin_queued(const std::string& storage);
  void supervise(const std::stop_token& stop);
  void poll(Entry& entry);
  void stop_for(Entry& entry, const std::string& excess);
  void stop_largest(const std::string& excess);
  std::string reason_of(const Entry& entry, int exit_code) const;
  void finish(Entry& entry, int exit_code);
  void changed(Entry& entry) const;

  JobFolder folder_;
  std::string program_;
  const Clock& clock_;
  JobLimits limits_;
  CheckCommand check_;
  ResultsSize results_size_;
  mutable std::mutex mutex_;  // guards all members below
  mutable std::condition_variable_any changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
  std::deque<std::string> queue_;  // ids of queued jobs, the next one first
  std::jthread supervisor_;
};

}  // namespace ergon::service
