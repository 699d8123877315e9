#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace ergon::app {

// Understands the words behind the program's name, runs the command they ask for, and returns the exit code.
// Errors have been told to the person when it returns.
int run_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                     Shell& shell);

}  // namespace ergon::app
