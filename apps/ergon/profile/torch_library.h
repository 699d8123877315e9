#pragma once

#include "base/result.h"
#include "profile/torch/library_api.h"

namespace ergon::app {

// Loads libergon_torch.so at the first call: from $ERGON_TORCH, or from ../lib relative to the program.
// Errors: unsupported, if it is missing or cannot be loaded.
Result<const profile::torch::LibraryApi*> torch_library();

}  // namespace ergon::app
