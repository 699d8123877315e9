#pragma once

#include <vector>

#include "command.h"

namespace ergon::app {

// All commands of ergon, in the order of the help.
std::vector<Command> builtin_commands();

Command table_command();
Command fleet_command();

}  // namespace ergon::app
