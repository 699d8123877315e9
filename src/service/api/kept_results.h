#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/jobs/jobs.h"

namespace ergon::service {

struct KeptResult {
  std::string id;  // a job's, or the name of a file
  std::string title, schema, created;
  bool simulated = false;
  std::uint64_t bytes = 0;
};

// Documents that can be looked at: those of jobs, and those that somebody put into the folder
// (`ergon tune ... --json > FOLDER/tune.json`). Any thread.
class KeptResults {
 public:
  KeptResults(std::filesystem::path folder, const Jobs& jobs) : folder_(std::move(folder)), jobs_(jobs) {}

  std::vector<KeptResult> list() const;  // the newest first
  Result<std::string> document(const std::string& id) const;

 private:
  // The head of a document, remembered while its file is the same.
  struct Seen {
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type changed;
    std::optional<KeptResult> result;  // nothing: no document
  };
  std::optional<KeptResult> look(const std::filesystem::path& file, const std::string& id) const;

  std::filesystem::path folder_;
  const Jobs& jobs_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Seen> seen_;
};

}  // namespace ergon::service
