#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/units.h"

namespace ergon::service {

// What this process occupies of the machine's memory, as Linux counts it. Errors: a system that does not
// tell.
Result<Bytes> resident_memory(const std::filesystem::path& statm = "/proc/self/statm");

}  // namespace ergon::service
