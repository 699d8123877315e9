#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options.h"
#include "shell.h"

namespace ergon::app {

// Runs a command after its options were parsed. Returns the exit code.
using Action = std::function<Result<int>(Shell&)>;

// A command or subcommand. It has children, an action, or both.
struct Command {
  std::string name;
  std::string summary;      // one line in the list of commands
  std::string description;  // follows the summary in the command's help
  std::function<Action(Options&)> declare;
  std::vector<Command> children;
};

}  // namespace ergon::app
