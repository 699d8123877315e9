#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Scatter with constant indices and updates.
bool is_scatter(const NodeView& view);
Result<Kernel> scatter_kernel(const NodeView& view);

}  // namespace ergon::profile::torch
