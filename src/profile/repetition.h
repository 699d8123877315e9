#pragma once

#include <cstdint>
#include <stop_token>

#include "base/result.h"
#include "base/units.h"
#include "profile/engine.h"

namespace ergon::profile {

// How often and how long work is repeated, for all who measure by repeating.

// Iterations that take about so long, at this pace; one at least.
std::int64_t iterations_in(Seconds time, Seconds each);

// Iterations of a segment that is timed by itself and lasts about `least`. Host and device overlap from one
// iteration to the next and not across the end of a segment, so it is several iterations long, unless they
// are so slow that it hardly matters.
std::int64_t segment_length(Seconds least, Seconds pace);

// Errors: cancelled, if somebody asked to stop.
Result<> unless_stopped(const std::stop_token& stop);

// Runs more and more at a time until all of it has taken long enough; the last pace, which is the best known.
// Errors: those of Prepared::run(); somebody asked to stop.
Result<Seconds> work_for(Prepared& prepared, Seconds time, const std::stop_token& stop);

}  // namespace ergon::profile
