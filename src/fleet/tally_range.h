#pragma once

#include "fleet/tally.h"

namespace ergon::fleet {

// Checks that every number of a tally is physically possible: values of samples within kPlausibleRanges,
// energy at most the largest power over its time, durations at most AnalysisRules::max_event, and parts that
// sum to the whole. Errors: invalid_input with the place, the field, its value and the expected range.
Result<> check_range(const Tally& tally);

}  // namespace ergon::fleet
