#pragma once

#include <vector>

#include "command.h"

namespace ergon::app {

// Everything that ergon can do, in the order of its help.
std::vector<Command> builtin_commands();

Command table_command();
Command fleet_command();

}  // namespace ergon::app
