#pragma once

#include "command.h"

namespace ergon::app {

Command serve_command();
Command report_command();

}  // namespace ergon::app
