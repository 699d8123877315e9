#pragma once

#include "base/result.h"
#include "profile/torch/library_api.h"

namespace ergon::profile {

// Loads libergon_torch.so at the first call: from $ERGON_TORCH, or from where this code was installed or
// built, also after that folder was moved: beside the library that contains this code, or in lib folders
// beside the program's. Errors: unsupported, if it is missing or cannot be loaded.
Result<const torch::LibraryApi*> torch_library();

}  // namespace ergon::profile
