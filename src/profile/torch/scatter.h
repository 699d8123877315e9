#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Writing updates into a copy of the data: where indices and updates are the file's constants.
bool is_scatter(const NodeView& view);
Result<Kernel> scatter_kernel(const NodeView& view);

}  // namespace ergon::profile::torch
