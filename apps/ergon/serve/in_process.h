#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::app {

// Runs a command inside this process and captures its output. Returns the printed document or the error.
// `words` is the command line without the program name. Thread-safe.
Result<std::string> run_in_process(const std::vector<std::string>& words, Clock& clock,
                                   const std::stop_token& stop);

// Checks the options of a command that runs later, in another process. Thread-safe.
Result<> check_in_process(const std::vector<std::string>& words, Clock& clock);

}  // namespace ergon::app
