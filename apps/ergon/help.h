#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "command_help.h"

namespace ergon::app {

// Group of the options that the help does not show. CLI11's way to hide an option also removes its name from
// error messages.
inline constexpr const char* kHiddenGroup = "hidden";

// A command as it is typed: "ergon sweep evaluate".
std::string path_of(const CLI::App& app);

// What the help of a command shows, and that of its subcommands. `values` of the options are left empty.
CommandHelp help_of(const CLI::App& app);

// The help of a command, in lines of at most 80 columns.
std::string help_text(const CommandHelp& command);

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace ergon::app
