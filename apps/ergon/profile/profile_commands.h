#pragma once

#include "command.h"

namespace ergon::app {

Command profile_command();
Command profile_validate_command();
Command profile_merge_command();

}  // namespace ergon::app
