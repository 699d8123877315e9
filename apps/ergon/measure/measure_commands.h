#pragma once

#include "command.h"

namespace ergon::app {

Command measure_command();

}  // namespace ergon::app
