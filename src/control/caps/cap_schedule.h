#pragma once

#include <memory>
#include <string>

#include "control/caps/cap_source.h"

namespace ergon::control {

// Reads caps from a CSV file. Each line holds a time since the start of the run and the cap from then on.
//
//   time_seconds,watts     the header is optional
//   0,300                  numbers without a unit are seconds and watts
//   10min,250W             # a comment
//
// Times must ascend. Before the first time poll() returns no cap; a poll that passes several times returns
// the last cap. Errors, with file and line: unreadable file; a line that is not a time and a cap; a negative
// or non-ascending time; no line at all.
Result<std::unique_ptr<CapSource>> scheduled_cap(const std::string& path);
// The same for a run, which needs a cap from its start. Errors: also no cap at time 0.
Result<std::unique_ptr<CapSource>> scheduled_cap_from_start(const std::string& path);

}  // namespace ergon::control
