#pragma once

#include <memory>
#include <string>

#include "control/cap_source.h"

namespace ergon::control {

// A cap that follows a table made beforehand: CSV lines of a time since the run began and the cap that holds
// from then on.
//
//   time_seconds,watts     the header may be missing
//   0,300                  bare numbers are seconds and watts
//   10min,250W             # a comment
//
// Times ascend. Before the first of them there is no cap, so poll() gives nothing; a poll that jumps over
// several gives the last. Errors, with the file and line: a file that cannot be read, a line that is no time
// and cap, a time that is negative or not above the one before, no cap at all.
Result<std::unique_ptr<CapSource>> scheduled_cap(const std::string& path);

}  // namespace ergon::control
