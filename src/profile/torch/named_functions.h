#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Functions that are identified by their operator name in the file. Without a file, a function of equal cost.
Result<Kernel> trigonometric_kernel(const NodeView& view);
Result<Kernel> named_kernel(const NodeView& view);

}  // namespace ergon::profile::torch
