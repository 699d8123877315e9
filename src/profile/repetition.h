#pragma once

#include <cstdint>
#include <stop_token>

#include "base/result.h"
#include "base/units.h"
#include "profile/engine.h"

namespace ergon::profile {

// Number of iterations for repeated measurements.

// Iterations that take about `time`, given the time per iteration; at least 1.
std::int64_t iterations_in(Seconds time, Seconds each);

// Iterations of a segment that is timed individually and lasts at least about `min_time`. Host and device
// overlap between iterations but not across the end of a segment, so a segment has several iterations, unless
// they are so slow that the overlap is negligible.
std::int64_t segment_length(Seconds min_time, Seconds time_per_iteration);

// Errors: cancelled, if a stop was requested.
Result<> unless_stopped(const std::stop_token& stop);

// Runs an increasing number of iterations until `time` has passed in total. Returns the time per iteration of
// the last, longest run. Errors: those of PreparedWork::run(); cancelled.
Result<Seconds> work_for(PreparedWork& prepared, Seconds time, const std::stop_token& stop);

}  // namespace ergon::profile
