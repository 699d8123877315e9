#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/clock.h"
#include "service/jobs/job_limits.h"
#include "service/jobs/process_memory.h"

namespace ergon::service {

// Compares one running job with its limits. Polled by the supervisor of the jobs.
class LimitMonitor {
 public:
  // `folder`: all files of the job.
  LimitMonitor(const JobLimits& limits, std::filesystem::path folder, Instant started);

  struct Excess {
    std::string message;  // which limit, with numbers and what to do
    bool urgent = false;  // the memory may be exhausted before the job reacts to an interrupt
  };
  // `group`: process group of the current command, if one runs.
  std::optional<Excess> check(std::optional<int> group, Instant now);

  // Of the job's folder, at the last measurement.
  Bytes disk() const { return disk_; }

 private:
  std::optional<Excess> check_memory(std::optional<int> group, Instant now);
  std::optional<Excess> check_disk(Instant now);

  JobLimits limits_;
  std::filesystem::path folder_;
  Instant started_;
  std::optional<int> group_;
  std::optional<GroupMemory> memory_;
  Bytes disk_;
  Instant disk_due_;
};

// No file can become larger than this. It is more than the limit, so that the monitor usually stops the job
// before the kernel ends it.
Bytes max_file_of(const JobLimits& limits);

// Why a job is stopped that exceeds the disk limit, with the size of its folder or its largest file.
std::string disk_message(std::string_view what, Bytes size, const JobLimits& limits);

// Why jobs are refused, wait or are stopped while the results folder is full.
std::string quota_message(Bytes size, const JobLimits& limits);

}  // namespace ergon::service
