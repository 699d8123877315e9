#include "base/clock.h"
#include "command_line.h"
#include "commands.h"
#include "interrupt.h"

int main(int argc, char** argv) {
  ergon::app::Interrupt interrupt;
  ergon::SystemClock clock;
  ergon::app::Shell shell({argv, argv + argc}, clock, interrupt.token());
  return ergon::app::run_command_line({argv + 1, argv + argc}, ergon::app::builtin_commands(), shell);
}
