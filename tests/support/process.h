#pragma once

#include <map>
#include <string>

namespace ergon::test {

struct ProcessResult {
  std::string out;
  std::string err;
  int exit_code = 0;  // 128 + signal number for a killed one
};

// Runs a shell command in `folder` and waits for it. `environment` is added to this process's own; `merged`
// sends standard error to `out` as well.
ProcessResult run_shell(const std::string& command, const std::string& folder = ".",
                        const std::map<std::string, std::string>& environment = {}, bool merged = false);

// A message of a program without the line breaks that fit it to the width of the terminal.
std::string unwrapped(const std::string& text);

}  // namespace ergon::test
