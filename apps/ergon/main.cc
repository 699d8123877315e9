#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "command_line.h"
#include "commands.h"
#include "device/machine/lease_guard.h"
#include "interrupt.h"

namespace {

// If a standard stream is closed at the start, the next opened file would get its number and messages would
// be written into that file. Opens /dev/null instead, read-only: reads are empty and writes fail.
void fill_closed_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto exit_code = ergon::device::lease_guard_main({argv + 1, argv + argc})) return *exit_code;
  fill_closed_standard_streams();
  ergon::app::Interrupt interrupt;
  ergon::SystemClock clock;
  ergon::app::StandardStreams streams;
  ergon::app::Shell shell({argv, argv + argc}, clock, interrupt.token(), streams);
  return ergon::app::run_command_line({argv + 1, argv + argc}, ergon::app::builtin_commands(), shell);
}
