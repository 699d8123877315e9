#pragma once

#include "command.h"

namespace ergon::app {

Command simulate_command();
Command simulate_sweep_command();
Command roofline_command();

}  // namespace ergon::app
