#pragma once

#include "command.h"

namespace ergon::app {

Command allocate_command();
Command allocate_compare_command();
Command allocate_follow_command();

}  // namespace ergon::app
