#pragma once

#include "command.h"

namespace ergon::app {

Command reproduce_command();
Command reproduce_arada_command();

}  // namespace ergon::app
