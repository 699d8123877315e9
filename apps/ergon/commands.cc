#include "commands.h"

namespace ergon::app {

std::vector<Command> builtin_commands() {
  return {
      table_command(),
  };
}

}  // namespace ergon::app
