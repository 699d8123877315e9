#pragma once

#include <string>
#include <vector>

#include "command_help.h"

namespace ergon::app {

// Names that the completion offers.
struct CompletionNames {
  std::vector<std::string> networks, devices, accelerators, memories;
};

// A script that completes the commands, options and values of the program in bash. It defines the function
// _ergon, and needs neither the program nor the package bash-completion to run.
std::string bash_completion(const CommandHelp& root, const CompletionNames& names);

}  // namespace ergon::app
