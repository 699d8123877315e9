#pragma once

#include "command.h"

namespace ergon::app {

Command predict_evaluate_command();

}  // namespace ergon::app
