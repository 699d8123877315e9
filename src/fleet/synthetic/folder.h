#pragma once

#include <filesystem>

#include "base/result.h"

namespace ergon::fleet::synthetic {

// Makes the folder if need be. Errors: it cannot be made; it holds files of the names that are to be written,
// and they are not simulated ones, which alone may be replaced.
Result<> prepare_folder(const std::filesystem::path& folder);

}  // namespace ergon::fleet::synthetic
