#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command.h"
#include "command_help.h"

namespace ergon::app {

// All commands with their options, declared in the parsing library.
class CommandTree {
 public:
  explicit CommandTree(const std::vector<Command>& commands);

  // What the command line set; valid after root.parse().
  struct GlobalOptions {
    bool json = false, wide = false, quiet = false, version = false;
    std::optional<std::string> html;
  };

  CLI::App root;
  GlobalOptions global;
  std::map<const CLI::App*, Action> actions;
  std::map<const CLI::App*, std::vector<Options::Renamed>> renamed;
  std::map<const CLI::Option*, std::vector<std::string>> allowed_values;

 private:
  void declare(CLI::App& parent, const Command& command);
};

// The program as its help shows it, with the allowed values of its options.
CommandHelp help_of(const std::vector<Command>& commands);

}  // namespace ergon::app
