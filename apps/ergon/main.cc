#include <csignal>
#include <exception>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include "base/clock.h"
#include "base/errc.h"
#include "command_line.h"
#include "commands.h"
#include "device/machine/lease_guard.h"
#include "interrupt.h"

namespace {

// Failed writes return an error and do not end the program: of a pipe that its reader closed, and of a file
// beyond the limit of the shell (ulimit -f).
void ignore_signals_of_failed_writes() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

// If a standard stream is closed at the start, the next opened file would get its number and messages would
// be written into that file. Opens /dev/null instead, read-only: reads are empty and writes fail.
void fill_closed_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDONLY);
  }
}

int run(int argc, char** argv) {
  if (const auto exit_code = ergon::device::lease_guard_main({argv + 1, argv + argc})) return *exit_code;
  ergon::app::Interrupt interrupt;
  ergon::SystemClock clock;
  ergon::app::StandardStreams streams;
  ergon::app::Shell shell({argv, argv + argc}, clock, interrupt.token(), streams);
  return ergon::app::run_command_line({argv + 1, argv + argc}, ergon::app::builtin_commands(), shell);
}

// Needs no memory, and a failure is ignored.
void print_message(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  ignore_signals_of_failed_writes();
  fill_closed_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {  // before the command runs: no memory, or no more threads
    for (const std::string_view part : {"ergon: ", error.what(), "\n"}) print_message(part);
  } catch (...) {
    print_message("ergon: unknown exception\n");
  }
  return ergon::kExitFailed;
}
