#pragma once

#include "base/builtin_files.h"

namespace ergon::systolic {

// Files of data/ that CMake embeds in the program.
BuiltinFiles accelerator_files();
BuiltinFiles memory_files();
BuiltinFiles energy_files();
BuiltinFiles voltage_files();

}  // namespace ergon::systolic
