#pragma once

#include "command.h"

namespace ergon::app {

Command devices_command();
Command validate_command();
Command calibrate_command();
Command estimate_command();

}  // namespace ergon::app
