#pragma once

#include <vector>

#include "graph/network.h"

namespace ergon::device {

// Scores, softmax and weighted sum that run as one kernel.
struct FusedAttention {
  graph::NodeId scores = 0, softmax = 0, sum = 0;
  std::vector<graph::NodeId> between;  // scalings and dropouts that go with them
};

// What a framework that runs operation after operation still does together.
struct Fusion {
  std::vector<bool> silent;  // by node: launches nothing
  std::vector<bool> kept;    // by value: never leaves the chip
  std::vector<FusedAttention> attention;
};

// Attention is one kernel: scores, softmax and weighted sum, with the scores kept on the chip, unless
// something other than a constant is added to them. A transpose is a view until a reshape needs its elements
// in order.
Fusion fusion_of(const graph::Network& network);

}  // namespace ergon::device
