#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace ergon::app {

// Parses the arguments of the program (without its name), runs the command, and returns the exit code.
// Error messages are printed before it returns. Throws nothing: an exception is a failure with a message.
int run_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                     Shell& shell);

// Parses the arguments without running the command. Error: the message of a usage error. Throws nothing.
Result<> check_command_line(const std::vector<std::string>& words, const std::vector<Command>& commands,
                            Shell& shell);

}  // namespace ergon::app
