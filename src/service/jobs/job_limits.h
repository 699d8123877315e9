#pragma once

#include <cstddef>
#include <filesystem>

#include "base/units.h"

namespace ergon::service {

// Memory that programs of this machine can use: its physical memory, or less if the server's control group
// has a limit. `root` is the root of the file system.
Bytes usable_memory(const std::filesystem::path& root = "/");

// Limits of jobs. No job can fill the memory or the disk of the machine, and no client can take all of them
// from others.
struct JobLimits {
  // Of one job.
  Bytes memory = usable_memory() / 4;
  Seconds time{24 * 3600.0};
  Bytes disk{2.0 * (1U << 30U)};
  // Between SIGINT and SIGKILL, for example to restore devices.
  Seconds stop_time{10};
  // For the evaluation of partial data after a stop.
  Seconds evaluation_time{600};

  // Of all jobs.
  Bytes results{20.0 * (1U << 30U)};  // jobs and documents
  std::size_t running = 4, queued = 64, stored = 1000;
};

}  // namespace ergon::service
