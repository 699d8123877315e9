#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace ergon::systolic {

// Name and text of the files that CMake put into the program.
using BuiltinFiles = std::vector<std::pair<std::string_view, std::string_view>>;

BuiltinFiles accelerator_files();
BuiltinFiles memory_files();
BuiltinFiles energy_files();
BuiltinFiles voltage_files();

}  // namespace ergon::systolic
