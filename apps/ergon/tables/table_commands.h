#pragma once

#include "command.h"

namespace ergon::app {

Command describe_command();
Command convert_command();
Command join_command();
Command group_command();
Command relate_command();
Command split_command();

}  // namespace ergon::app
