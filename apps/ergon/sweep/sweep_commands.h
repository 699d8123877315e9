#pragma once

#include "command.h"

namespace ergon::app {

Command sweep_command();
Command sweep_evaluate_command();

}  // namespace ergon::app
