#pragma once

#include "fleet/prometheus/step_range.h"
#include "fleet/prometheus/time_argument.h"

namespace ergon::fleet {

// The times of a range query.
struct QueryTimes {
  TimeArgument from, to;
  Seconds step{15};
};

// An end in the future is replaced by now, because Prometheus repeats the last values for some minutes.
// Errors: those of TimeArgument::at() and steps_between().
Result<StepRange> range_of(const QueryTimes& times, Timestamp now);

}  // namespace ergon::fleet
