#pragma once

#include <string>

#include "command_help.h"

namespace ergon::app {

// Name of a command's manual page: "ergon-fleet-analyze". Its file has the suffix ".1".
std::string man_page_name(const CommandHelp& command);

// The manual page of a command of `root`, in roff with the macros of man(7). It has the texts of the
// command's help.
std::string man_page(const CommandHelp& root, const CommandHelp& command, const std::string& version);

}  // namespace ergon::app
