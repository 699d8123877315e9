#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Functions that only the file's name for them tells apart. Without a file, one that costs the same.
Result<Kernel> trigonometric_kernel(const NodeView& view);
Result<Kernel> named_kernel(const NodeView& view);

}  // namespace ergon::profile::torch
