#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::app {

// Exit codes of shells for commands that could not be started.
inline constexpr int kExitNotExecutable = 126, kExitNoCommand = 127;

// How a command ended: its exit code, or 128 + signal, as in shells.
struct Ending {
  int exit_code = 0;
  int signal = 0;  // 0: it exited
};

// A child process that shares the terminal and the standard streams.
class Child {
 public:
  // `output_to_error`: redirects the command's standard output to standard error. Errors: not_found and
  // permission, as in a shell.
  static Result<Child> start(const std::vector<std::string>& command, bool output_to_error);

  std::int64_t pid() const { return pid_; }
  // Waits for the command and calls `at_end` when it ends, from another thread. Rethrows its exception. After
  // a stop request, SIGTERM is sent once, after a grace period, and then the wait continues without a limit.
  Ending wait(Clock& clock, const std::stop_token& stop, const std::function<void()>& at_end) const;

 private:
  explicit Child(std::int64_t pid) : pid_(pid) {}

  std::int64_t pid_;
};

}  // namespace ergon::app
