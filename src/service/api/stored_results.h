#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/jobs/jobs.h"

namespace ergon::service {

struct StoredResult {
  std::string id;  // of the job, or the file name
  std::string title, schema, created;
  bool simulated = false;
  std::uint64_t bytes = 0;
};

// Stored documents: results of jobs, and JSON files in the results folder
// (`ergon tune ... --json > FOLDER/tune.json`). Thread-safe.
class StoredResults {
 public:
  StoredResults(std::filesystem::path folder, const Jobs& jobs) : folder_(std::move(folder)), jobs_(jobs) {}

  std::vector<StoredResult> list() const;  // newest first
  // Errors: not_found.
  Result<std::filesystem::path> file(const std::string& id) const;

 private:
  // Summary of a document, cached until its file changes.
  struct CachedSummary {
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type changed;
    std::optional<StoredResult> result;  // empty: not an Ergon document
  };
  std::optional<StoredResult> summary(const std::filesystem::path& file, const std::string& id) const;
  std::optional<StoredResult> summary_of_job(const std::string& id) const;
  void forget_all_but(const std::set<std::string>& ids) const;

  std::filesystem::path folder_;
  const Jobs& jobs_;
  mutable std::mutex mutex_;  // not held while a file is read
  mutable std::map<std::string, CachedSummary> summaries_;
};

}  // namespace ergon::service
