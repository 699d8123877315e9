#pragma once

#include "command.h"

namespace ergon::app {

Command reproduce_command();
Command reproduce_arada_command();
Command reproduce_terascope_command();
Command reproduce_batchsizer_command();
Command reproduce_thesis_command();
Command reproduce_v100s_command();

}  // namespace ergon::app
