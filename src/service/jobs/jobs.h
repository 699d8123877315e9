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

// A run that holds a cap now.
struct HeldCap {
  Job job;
  nlohmann::ordered_json decision;  // the newest, as in its log
  std::uint64_t decisions = 0;
  std::uint64_t violations = 0;  // of them, those before which power was above the cap
};

// All jobs, kept in a folder: one folder each, with what it was asked for, what it printed and its document.
// They survive this program; those that were running when it ended are interrupted then, and can go on if
// their command can. Any thread.
class Jobs {
 public:
  // `program` runs the commands. Errors: a folder that cannot be made or is another server's.
  static Result<std::unique_ptr<Jobs>> open(const std::filesystem::path& folder, const std::string& program,
                                            const Clock& clock);
  ~Jobs();  // asks those that are running to stop, and waits for it

  std::vector<Job> list() const;  // the newest first
  Result<Job> find(const std::string& id) const;

  // `options` is a JSON object. Errors: no such command, options that are wrong; too many at once.
  Result<Job> start(std::string_view command, const nlohmann::ordered_json& options);
  Result<Job> cancel(const std::string& id);
  Result<Job> resume(const std::string& id);
  Result<> remove(const std::string& id);
  Result<Job> set_cap(const std::string& id, Watts cap);
  std::filesystem::path document_file(const std::string& id) const { return folder_.document_of(id); }
  // The document's text.
  Result<std::string> result(const std::string& id) const;

  // What somebody who follows a job has not seen yet.
  struct News {
    std::optional<Job> job;              // where it is another
    std::vector<std::string> decisions;  // JSON texts, of cap runs
    std::uint64_t version = 0;           // to ask with the next time
    bool over = false;                   // there will be no more
  };
  // Waits for news, up to `patience`. `decisions_seen` of them are not told again.
  Result<News> follow(const std::string& id, std::uint64_t version_seen, std::size_t decisions_seen,
                      Seconds patience) const;

  std::vector<HeldCap> held_caps() const;

 private:
  struct Entry;

  Jobs(JobFolder folder, std::string program, const Clock& clock);
  Result<Entry*> entry(const std::string& id) const;
  Result<> begin(Entry& entry);
  Result<> check_room(const Job& job) const;
  void supervise(const std::stop_token& stop);
  void look_after(Entry& entry);
  void finish(Entry& entry, int exit_code);
  void changed(Entry& entry) const;

  JobFolder folder_;
  std::string program_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // of everything below
  mutable std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
  std::jthread supervisor_;
};

}  // namespace ergon::service
