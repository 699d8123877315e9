#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/jobs/job.h"

namespace ergon::service {

// Where jobs are kept: a folder each, named by its id, with job.json in it. One server at a time has it.
class JobFolder {
 public:
  // Errors: it cannot be made or written to, or another server has it.
  static Result<JobFolder> open(const std::filesystem::path& path);
  JobFolder(JobFolder&& other) noexcept;
  JobFolder& operator=(JobFolder&&) = delete;
  ~JobFolder();

  std::filesystem::path of(const std::string& id) const { return path_ / id; }
  std::filesystem::path document_of(const std::string& id) const { return of(id) / "result.json"; }

  // What can be read; folders that hold something else are left alone.
  std::vector<Job> load() const;
  // A new folder, and the id that is its name.
  Result<std::string> make(std::string_view command, Timestamp now) const;
  Result<> keep(const Job& job) const;
  Result<> remove(const std::string& id) const;

 private:
  JobFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace ergon::service
