#pragma once

#include <vector>

#include "predict/task.h"
#include "profile/step.h"

namespace ergon::predict {

// Copies that frameworks make without being asked. A batched product wants its matrices one behind the other;
// queries, keys and values that were cut out of one tensor and turned into heads do not lie like that, so
// each is copied first, element by element in an order that suits no cache. One kernel that computes a whole
// attention needs none of this, and products measured by themselves do not show it. A convolution wants its
// image in one piece, so a part of another's channels (ShuffleNet) is copied for it. A dense layer wants
// rows: a turned tensor (an MLP-Mixer's channels, an image taken for tokens) is put in order for it.
std::vector<Task> strided_copies(const graph::Network& network, const std::vector<profile::Step>& steps,
                                 const Condition& condition);

}  // namespace ergon::predict
