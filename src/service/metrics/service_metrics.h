#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"
#include "base/units.h"
#include "service/metrics/exposition.h"

namespace ergon::service {

// Answers by the class of their status. Single codes, paths and clients are no labels: strangers could make
// as many series of them as they like.
struct RequestCounts {
  std::uint64_t status_2xx = 0, status_3xx = 0, status_4xx = 0, status_5xx = 0;

  // One more. What is no status of an answer (200 to 599) counts as a failure of the server.
  void count(int status);
};

struct JobCounts {
  std::uint64_t running = 0, done = 0, failed = 0, cancelled = 0, interrupted = 0;
};

// The service itself.
struct ServiceReading {
  RequestCounts requests;
  JobCounts jobs;
  std::string version;
  Timestamp started;
  std::optional<Bytes> resident_memory;
};

void add_service(Exposition& page, const ServiceReading& reading);

}  // namespace ergon::service
