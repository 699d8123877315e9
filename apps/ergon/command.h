#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "options.h"
#include "shell.h"

namespace ergon::app {

// Does the work once the command line is understood; the value is the exit code.
using Action = std::function<Result<int>(Shell&)>;

// One subcommand: parse, call, print. It has children, an action, or both.
struct Command {
  std::string name;
  std::string summary;      // one line in the list of commands
  std::string description;  // behind the summary in its own help
  std::function<Action(Options&)> declare;
  std::vector<Command> children;
};

}  // namespace ergon::app
