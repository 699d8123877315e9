#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::app {

// Exit codes that shells give to commands which never ran.
inline constexpr int kExitNotExecutable = 126, kExitNoCommand = 127;

// How a command ended, as a shell would say it: its exit code, or 128 and the signal that ended it.
struct Ending {
  int exit_code = 0;
  int signal = 0;  // 0: it ended by itself
};

// A command that runs beside this program, with its terminal and its standard streams.
class Child {
 public:
  // With `output_to_error`, what the command prints goes to standard error, so that standard output holds
  // nothing else than ours. Errors: not_found and permission, as a shell would find.
  static Result<Child> start(const std::vector<std::string>& command, bool output_to_error);

  std::int64_t pid() const { return pid_; }
  // Waits for its end, and calls `at_end` at that moment, from another thread. A request to stop is handed on
  // if the command has not got it from the terminal itself; then it has all the time it needs.
  Ending wait(Clock& clock, const std::stop_token& stop, const std::function<void()>& at_end) const;

 private:
  explicit Child(std::int64_t pid) : pid_(pid) {}

  std::int64_t pid_;
};

}  // namespace ergon::app
