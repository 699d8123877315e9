#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Numbers to small integers and back, by a scale and a zero point: of the whole tensor, or of every slice of
// an axis.
Result<Kernel> quantize_kernel(const NodeView& view, const graph::Elementwise& op);

}  // namespace ergon::profile::torch
