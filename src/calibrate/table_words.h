#pragma once

#include <string_view>

#include "base/result.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::calibrate {

// Words in the columns `mode` and `dtype` of tables of networks measured in Python, in any letter case:
// Ergon's, PyTorch's, and those of older tables. Errors list the accepted words.

// inference, training; older: infer, train.
Result<graph::Mode> mode_of_word(std::string_view word);

// fp32, tf32, bf16, fp16; PyTorch: float32, bfloat16, float16; older: tf32conv (TF32 convolutions, fp32
// otherwise, which is what tf32 means), bf16_nhwc (channels-last).
Result<device::Precision> precision_of_word(std::string_view word);

}  // namespace ergon::calibrate
