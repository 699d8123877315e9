#pragma once

#include "base/builtin_files.h"

namespace ergon::systolic {

// What CMake put into the program from data/.
BuiltinFiles accelerator_files();
BuiltinFiles memory_files();
BuiltinFiles energy_files();
BuiltinFiles voltage_files();

}  // namespace ergon::systolic
