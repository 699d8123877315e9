#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "base/units.h"
#include "service/jobs/job.h"
#include "service/metrics/exposition.h"

namespace ergon::service {

// Responses by class of their status. Codes, paths and clients are not labels, because clients could then
// create any number of series.
struct RequestCounts {
  std::uint64_t status_2xx = 0, status_3xx = 0, status_4xx = 0, status_5xx = 0;

  // Counts one response. A status outside 200 to 499 counts as 5xx.
  void count(int status);
};

struct JobCounts {
  std::uint64_t queued = 0, running = 0, done = 0, failed = 0, cancelled = 0, interrupted = 0;
};
JobCounts counts_of(const std::vector<JobState>& states);

// Metrics of the server itself.
struct ServiceReading {
  RequestCounts requests;
  JobCounts jobs;
  std::string version;
  Timestamp started;
  std::optional<Bytes> resident_memory;
};

void add_service(Exposition& page, const ServiceReading& reading);

}  // namespace ergon::service
