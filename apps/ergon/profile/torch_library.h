#pragma once

#include "base/result.h"
#include "profile/torch/door.h"

namespace ergon::app {

// libtorch, loaded at the first call: lib/libergon_torch.so beside the program's folder, or what
// $ERGON_TORCH names. Errors: unsupported, when it is not there or cannot be loaded.
Result<const profile::torch::Door*> torch_library();

}  // namespace ergon::app
