#include "command_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::app {
namespace {

// An argument in the usage line: "FILE", "[FILE]" or "FILE...".
std::string argument_usage(const OptionHelp& argument) {
  const std::string name = argument.names.front() + (argument.repeated ? "..." : "");
  return argument.required ? name : "[" + name + "]";
}

}  // namespace

std::string OptionHelp::term() const {
  return fmt::format("{}{}{}", fmt::join(names, ", "), placeholder.empty() ? "" : " ", placeholder);
}

std::vector<std::string> CommandHelp::usage() const {
  std::vector<std::string> lines;
  if (children.empty() || !arguments.empty() || !options.empty()) {
    std::string line = path;
    for (const OptionHelp& option : options) {
      if (option.required) line += " " + option.term();
    }
    if (!options.empty()) line += " [OPTIONS]";
    for (const OptionHelp& argument : arguments) line += " " + argument_usage(argument);
    lines.push_back(line);
  }
  if (!children.empty()) lines.push_back(path + " COMMAND ...");
  return lines;
}

}  // namespace ergon::app
