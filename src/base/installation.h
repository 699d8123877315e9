#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace ergon {

// The program or shared library that contains this code. Files of an installation are found from here, so
// that it can be moved.
std::filesystem::path own_file();

// A file or folder of data/ by its name there ("reference"): share/ergon/data/NAME of the installation, or
// data/NAME of the repository for a program in its build folder. Absent if neither exists.
std::optional<std::filesystem::path> installed_data(std::string_view name);

}  // namespace ergon
