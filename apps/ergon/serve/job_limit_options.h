#pragma once

#include <cstdint>
#include <optional>

#include "options.h"
#include "service/jobs/job_limits.h"

namespace ergon::app {

// Options of `ergon serve` that limit jobs.
struct JobLimitOptions {
  std::optional<Bytes> memory, disk, results;
  std::optional<Seconds> time;
  std::uint64_t running = service::JobLimits{}.running;

  void declare(Options& options);
  service::JobLimits limits() const;
};

}  // namespace ergon::app
