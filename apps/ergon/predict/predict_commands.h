#pragma once

#include "command.h"

namespace ergon::app {

Command fit_command();
Command predict_command();
Command tune_command();

}  // namespace ergon::app
