#pragma once

#include <filesystem>

#include "base/result.h"

namespace ergon::fleet::synthetic {

// Creates the folder if it does not exist. Errors: it cannot be created; it contains files with the names to
// be written that are not simulated. Only simulated files are replaced.
Result<> prepare_folder(const std::filesystem::path& folder);

}  // namespace ergon::fleet::synthetic
