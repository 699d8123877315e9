#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
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

// All jobs, stored in a folder: one subfolder per job with its options, output and document. Jobs persist
// across restarts of the server. Jobs that ran when the server ended become `interrupted` and can be resumed
// if their command supports it. Thread-safe.
//
// Jobs beyond the number that may run are queued and start in the order in which they came, also after a
// restart. A job that exceeds a limit is stopped and fails; its partial result is kept. Nothing is deleted to
// make room.
class Jobs {
 public:
  // `folder` is inside the results folder. `program` is the path of the ergon program. Errors: the folder
  // cannot be created or another server uses it.
  static Result<std::unique_ptr<Jobs>> open(const std::filesystem::path& folder, const std::string& program,
                                            const Clock& clock, const JobLimits& limits = {});
  ~Jobs();  // stops running jobs and waits for them

  std::vector<Job> list() const;  // newest first
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

  // Changes of a job since a follower's last call.
  struct JobUpdate {
    std::optional<Job> job;              // empty if unchanged
    std::vector<std::string> decisions;  // JSON texts; cap jobs only
    std::uint64_t version = 0;           // pass it to the next call
    bool over = false;                   // the job has ended
  };
  // Waits for changes, up to `timeout`. Skips the first `decisions_seen` decisions.
  Result<JobUpdate> follow(const std::string& id, std::uint64_t version_seen, std::size_t decisions_seen,
                           Seconds timeout) const;

  std::vector<HeldCap> held_caps() const;

 private:
  struct Entry;

  Jobs(JobFolder folder, std::string program, const Clock& clock, const JobLimits& limits);
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
  ResultsSize results_size_;
  mutable std::mutex mutex_;  // guards all members below
  mutable std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
  std::deque<std::string> queue_;  // ids of queued jobs, the next one first
  std::jthread supervisor_;
};

}  // namespace ergon::service
