#pragma once

#include <string>

#include "base/clock.h"
#include "meter/meter.h"

namespace ergon::meter {

// All power readings since the last call of Meter::take_traces(), as CSV: seconds since `begin`, device,
// sensor field, watts as read, and whether they are simulated.
std::string trace_csv(Meter& meter, Instant begin);

}  // namespace ergon::meter
