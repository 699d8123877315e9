#pragma once

#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// Quantization and dequantization with scale and zero point, per tensor or per slice of an axis.
Result<Kernel> quantize_kernel(const NodeView& view, const graph::Elementwise& op);

}  // namespace ergon::profile::torch
