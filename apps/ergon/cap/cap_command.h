#pragma once

#include "command.h"

namespace ergon::app {

Command cap_command();

}  // namespace ergon::app
