#pragma once

#include "base/result.h"
#include "profile/step.h"
#include "profile/torch/kernel.h"

namespace ergon::profile::torch {

// An attention as one call of scaled_dot_product_attention. Networks do not describe masks, so none is
// applied. Contract: the step is an attention of this network.
Kernel attention_kernel(const graph::Network& network, const Step& step);

}  // namespace ergon::profile::torch
