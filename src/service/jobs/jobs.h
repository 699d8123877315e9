#pragma once

#include <condition_variable>
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
#include "service/jobs/job.h"
#include "service/jobs/job_folder.h"

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
class Jobs {
 public:
  // `program` is the path of the ergon program. Errors: the folder cannot be created or another server uses
  // it.
  static Result<std::unique_ptr<Jobs>> open(const std::filesystem::path& folder, const std::string& program,
                                            const Clock& clock);
  ~Jobs();  // stops running jobs and waits for them

  std::vector<Job> list() const;  // newest first
  Result<Job> find(const std::string& id) const;

  // `options` is a JSON object. Errors: unknown command, invalid options, too many jobs.
  Result<Job> start(std::string_view command, const nlohmann::ordered_json& options);
  Result<Job> cancel(const std::string& id);
  Result<Job> resume(const std::string& id);
  Result<> remove(const std::string& id);
  Result<Job> set_cap(const std::string& id, Watts cap);
  std::filesystem::path document_file(const std::string& id) const { return folder_.document_of(id); }
  // Text of the result document.
  Result<std::string> result(const std::string& id) const;

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

  Jobs(JobFolder folder, std::string program, const Clock& clock);
  Result<Entry*> entry(const std::string& id) const;
  Result<> begin(Entry& entry);
  Result<> check_limits(const Job& job) const;
  void supervise(const std::stop_token& stop);
  void poll(Entry& entry);
  void finish(Entry& entry, int exit_code);
  void changed(Entry& entry) const;

  JobFolder folder_;
  std::string program_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards all members below
  mutable std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
  std::jthread supervisor_;
};

}  // namespace ergon::service
