#pragma once

#include <filesystem>
#include <optional>

namespace ergon {

// The home folder of this user: $HOME, or else the one in the passwd database, which services and containers
// without an environment need. Absent if neither is an absolute path; "/" in the database means none.
std::optional<std::filesystem::path> home_folder();

}  // namespace ergon
