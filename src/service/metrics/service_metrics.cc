#include "service/metrics/service_metrics.h"

#include <string_view>
#include <utility>

namespace ergon::service {

void RequestCounts::count(int status) {
  switch (status / 100) {
    case 2:
      ++status_2xx;
      break;
    case 3:
      ++status_3xx;
      break;
    case 4:
      ++status_4xx;
      break;
    default:
      ++status_5xx;
  }
}

JobCounts counts_of(const std::vector<JobState>& states) {
  JobCounts counts;
  for (const JobState state : states) {
    switch (state) {
      case JobState::queued:
        ++counts.queued;
        break;
      case JobState::running:
        ++counts.running;
        break;
      case JobState::done:
        ++counts.done;
        break;
      case JobState::failed:
        ++counts.failed;
        break;
      case JobState::cancelled:
        ++counts.cancelled;
        break;
      case JobState::interrupted:
        ++counts.interrupted;
        break;
    }
  }
  return counts;
}

void add_service(Exposition& page, const ServiceReading& reading) {
  const RequestCounts& requests = reading.requests;
  const JobCounts& jobs = reading.jobs;
  const auto counted = [&](const Metric& metric, std::string_view label, std::string_view value,
                           std::uint64_t count) {
    page.add(metric, {{label, std::string(value)}}, static_cast<double>(count));
  };
  counted(metrics::kHttpRequests, "code", "2xx", requests.status_2xx);
  counted(metrics::kHttpRequests, "code", "3xx", requests.status_3xx);
  counted(metrics::kHttpRequests, "code", "4xx", requests.status_4xx);
  counted(metrics::kHttpRequests, "code", "5xx", requests.status_5xx);
  counted(metrics::kJobs, "state", "queued", jobs.queued);
  counted(metrics::kJobs, "state", "running", jobs.running);
  counted(metrics::kJobs, "state", "done", jobs.done);
  counted(metrics::kJobs, "state", "failed", jobs.failed);
  counted(metrics::kJobs, "state", "cancelled", jobs.cancelled);
  counted(metrics::kJobs, "state", "interrupted", jobs.interrupted);
  page.add(metrics::kOmittedValues, {}, static_cast<double>(page.omitted_values()));
  page.add(metrics::kBuildInfo, {{"version", reading.version}}, 1.0);
  page.add(metrics::kProcessStart, {}, std::optional(reading.started - Timestamp{}));
  page.add(metrics::kProcessMemory, {}, reading.resident_memory);
}

}  // namespace ergon::service
