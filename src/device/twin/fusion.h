#pragma once

#include <vector>

#include "graph/network.h"

namespace ergon::device {

// What a framework that runs operation after operation still does together.
struct Fusion {
  std::vector<bool> silent;  // by node: launches nothing
  std::vector<bool> kept;    // by value: never leaves the chip
};

// Attention is one kernel: scores, softmax and weighted sum, with the scores kept on the chip, unless
// something other than a constant is added to them. A transpose is a view until a reshape needs its elements
// in order.
Fusion fusion_of(const graph::Network& network);

}  // namespace ergon::device
