#pragma once

#include "command.h"

namespace ergon::app {

Command reproduce_command();

}  // namespace ergon::app
