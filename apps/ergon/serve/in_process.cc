#include "serve/in_process.h"

#include "base/errc.h"
#include "base/text.h"
#include "command_line.h"
#include "commands.h"

namespace ergon::app {
namespace {

// What a person would have read, without the program's name and the way to help.
std::string complaint_of(const std::string& messages) {
  constexpr std::string_view kName = "ergon: ";
  std::string complaint;
  for (std::string_view line : split(trim(messages), '\n')) {
    if (line.starts_with(kName)) line.remove_prefix(kName.size());
    if (line.starts_with("try: ") || line.empty()) continue;
    complaint += (complaint.empty() ? "" : "\n") + std::string(line);
  }
  return complaint;
}

}  // namespace

Result<std::string> run_in_process(const std::vector<std::string>& words, Clock& clock,
                                   const std::stop_token& stop) {
  CapturedStreams streams;
  std::vector<std::string> command_line{"ergon"};
  command_line.insert(command_line.end(), words.begin(), words.end());
  Shell shell(std::move(command_line), clock, stop, streams);
  const int exit_code = run_command_line(words, builtin_commands(), shell);
  if (exit_code == kExitDone || exit_code == kExitClaimFailed) return std::move(streams.data());
  const Errc kind = shell.failure()           ? shell.failure()->kind
                    : exit_code == kExitUsage ? Errc::invalid_input
                                              : Errc::io;
  return Error{kind, complaint_of(streams.messages())};
}

}  // namespace ergon::app
