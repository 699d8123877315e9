#pragma once

#include "command.h"

namespace ergon::app {

Command fleet_analyze_command();
Command fleet_generate_command();
Command fleet_merge_command();

}  // namespace ergon::app
