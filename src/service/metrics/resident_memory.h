#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/units.h"

namespace ergon::service {

// Resident memory of this process (Linux). Errors: /proc is not available.
Result<Bytes> resident_memory(const std::filesystem::path& statm = "/proc/self/statm");

}  // namespace ergon::service
