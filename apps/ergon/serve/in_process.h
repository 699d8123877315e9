#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::app {

// Runs a command line inside this program, with its words going to memory. The document it printed, or what
// it complained about. Any thread, many at once.
Result<std::string> run_in_process(const std::vector<std::string>& words, Clock& clock,
                                   const std::stop_token& stop);

}  // namespace ergon::app
