#pragma once

#include "base/result.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/job_limits.h"

namespace ergon::service {

// Rejects a job whose options show that it exceeds the disk limit.
Result<> check_size(const JobKind& kind, const Fields& options, const JobLimits& limits);

}  // namespace ergon::service
