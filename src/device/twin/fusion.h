#pragma once

#include <vector>

#include "graph/network.h"

namespace ergon::device {

// Scores, softmax and weighted sum of an attention, which run as one kernel.
struct FusedAttention {
  graph::NodeId scores = 0, softmax = 0, sum = 0;
  std::vector<graph::NodeId> between;  // scalings and dropouts inside the kernel
};

// Fusions that an eager framework does.
struct Fusion {
  std::vector<bool> no_launch;  // per node: it launches no kernel
  std::vector<bool> on_chip;    // per value: never written to memory
  std::vector<FusedAttention> attention;
};

// Attention (scores, softmax, weighted sum) is one kernel and keeps the scores on the chip, unless a tensor
// is added to the scores. A transpose is a view, and is copied only if a reshape needs contiguous elements.
Fusion fusion_of(const graph::Network& network);

}  // namespace ergon::device
