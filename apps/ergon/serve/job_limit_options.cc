#include "serve/job_limit_options.h"

#include <fmt/format.h>

namespace ergon::app {
namespace {

constexpr std::uint64_t kMaxRunningJobs = 256;

}  // namespace

void JobLimitOptions::declare(Options& options) {
  const service::JobLimits defaults;
  options.positive_quantity("--job-memory", memory,
                            "max memory of a job (default: a quarter of this machine's memory)");
  options.positive_quantity("--job-time", time,
                            fmt::format("max duration of a job (default: {})", to_text(defaults.time)));
  options.positive_quantity("--job-disk", disk,
                            fmt::format("max disk space of a job (default: {})", to_text(defaults.disk)));
  options.positive_quantity(
      "--results-quota", results,
      fmt::format("max disk space of all jobs and documents (default: {})", to_text(defaults.results)));
  options.positive_count(
      "--max-running-jobs", running, kMaxRunningJobs,
      fmt::format("jobs that run at the same time (default: {}); others are queued", defaults.running));
  options.section("Limits of jobs",
                  {"--job-memory", "--job-time", "--job-disk", "--results-quota", "--max-running-jobs"});
}

service::JobLimits JobLimitOptions::limits() const {
  service::JobLimits limits;
  limits.memory = memory.value_or(limits.memory);
  limits.time = time.value_or(limits.time);
  limits.disk = disk.value_or(limits.disk);
  limits.results = results.value_or(limits.results);
  limits.running = running;
  return limits;
}

}  // namespace ergon::app
