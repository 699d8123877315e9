#include "serve/in_process.h"

#include "base/errc.h"
#include "base/text.h"
#include "command_line.h"
#include "commands.h"

namespace ergon::app {
namespace {

// The error message without the program name and the hint to --help.
std::string error_message_of(const std::string& messages) {
  constexpr std::string_view kName = "ergon: ";
  std::string message;
  for (std::string_view line : split(trim(messages), '\n')) {
    if (line.starts_with(kName)) line.remove_prefix(kName.size());
    if (line.starts_with("try: ") || line.empty()) continue;
    message += (message.empty() ? "" : "\n") + std::string(line);
  }
  return message;
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
  return Error{kind, error_message_of(streams.messages())};
}

Result<> check_in_process(const std::vector<std::string>& words, Clock& clock) {
  CapturedStreams streams;
  Shell shell({"ergon"}, clock, {}, streams);
  return check_command_line(words, builtin_commands(), shell);
}

}  // namespace ergon::app
