#pragma once

#include <string>
#include <vector>

namespace ergon::app {

// An option or argument as help, manual pages and shell completion show it.
struct OptionHelp {
  std::vector<std::string> names;  // "-q", "--quiet"; an argument has one: "FILE"
  std::string placeholder;         // of the value, "W" or "a|b|c"; empty for a flag and for an argument
  std::string description;
  std::vector<std::string> values;  // the allowed words, if only some are
  std::string section;              // title of its section of the help; empty: "Options"
  bool required = false;
  bool repeated = false;  // an argument that may be given several times

  // "-q, --quiet", "--html FILE", "FILE".
  std::string term() const;
};

// A command with everything that its help shows.
struct CommandHelp {
  std::string path;         // as it is typed: "ergon fleet analyze"
  std::string summary;      // one line
  std::string description;  // follows the summary; may be empty
  std::vector<OptionHelp> arguments, options, global_options;
  std::vector<CommandHelp> children;

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
  bool is_root() const { return path.find(' ') == std::string::npos; }
  // "ergon tune --device D,... [OPTIONS] NET"; a command with subcommands also has "ergon fleet COMMAND ...".
  std::vector<std::string> usage() const;
};

struct ExitCode {
  int code;
  const char* meaning;
};
inline constexpr ExitCode kExitCodes[] = {{0, "success"},       {1, "failure"},
                                          {2, "usage error"},   {3, "failed check"},
                                          {130, "interrupted"}, {141, "output closed by its reader"}};

}  // namespace ergon::app
