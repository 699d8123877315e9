#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/jobs/job.h"

namespace ergon::service {

// The folder of all jobs: one subfolder per job, named by its id, with job.json. Locked by one server.
// Other users can read neither.
class JobFolder {
 public:
  // Errors: it cannot be created or written, or another server uses it.
  static Result<JobFolder> open(const std::filesystem::path& path);
  JobFolder(JobFolder&& other) noexcept;
  JobFolder& operator=(JobFolder&&) = delete;
  ~JobFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path of(const std::string& id) const { return path_ / id; }
  std::filesystem::path document_of(const std::string& id) const { return of(id) / "result.json"; }

  // All readable jobs. Other folders are ignored.
  std::vector<Job> load() const;
  // Creates a job folder and returns its id.
  Result<std::string> create(std::string_view command, Timestamp now) const;
  Result<> store(const Job& job) const;
  Result<> remove(const std::string& id) const;

 private:
  JobFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace ergon::service
