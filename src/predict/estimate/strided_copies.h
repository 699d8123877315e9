#pragma once

#include <vector>

#include "predict/estimate/task.h"
#include "profile/step.h"

namespace ergon::predict {

// Implicit copies that frameworks make before an operation that needs a contiguous input:
// - Batched matrix product: queries, keys and values that were sliced out of one tensor and transposed into
//   heads are strided, so each is copied element by element with poor locality. A fused attention kernel does
//   not need the copies, and products measured alone do not show them.
// - Convolution: a slice of another tensor's channels (ShuffleNet) is copied.
// - Dense layer: a transposed tensor (the channels of an MLP-Mixer, an image used as tokens) is copied.
std::vector<Task> strided_copies(const graph::Network& network, const std::vector<profile::Step>& steps,
                                 const WorkloadConfig& config);

}  // namespace ergon::predict
