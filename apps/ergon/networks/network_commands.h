#pragma once

#include "command.h"

namespace ergon::app {

Command zoo_command();
Command inspect_command();
Command export_command();

}  // namespace ergon::app
