#pragma once

#include <cstdint>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph {

enum class Mode : std::uint8_t { inference, training };

// Where a network's multiplications happen.
enum class MacType : std::uint8_t { none, conv, depthwise, dense, matmul };

// What one operation costs at one batch. docs/costs.md has the conventions: a MAC counts as two FLOPs,
// everything else by its own arithmetic; every operation reads its inputs and writes its outputs once, as if
// nothing stayed in a cache between kernels; training is the forward and the backward pass, without loss and
// optimiser.
struct Costs {
  std::int64_t macs = 0;
  std::int64_t flops = 0;
  std::int64_t parameters = 0;    // stored values, running statistics included
  std::int64_t weight_bytes = 0;  // what they take in memory
  std::int64_t weight_bytes_moved = 0;
  std::int64_t activation_bytes_read = 0;
  std::int64_t activation_bytes_written = 0;
  std::int64_t output_elements = 0;

  std::int64_t activation_bytes() const { return activation_bytes_read + activation_bytes_written; }
  std::int64_t bytes_moved() const { return activation_bytes() + weight_bytes_moved; }
  // FLOPs per byte moved; 0 when nothing moves.
  double intensity() const;
};

struct CostQuestion {
  std::int64_t batch = 1;
  Mode mode = Mode::inference;
  // The gradient is needed at the operation's inputs: something before it learns. Matters for training only.
  bool gradient_wanted = true;
};

MacType mac_type(const Operation& operation, const Shape& first_input);

Result<Costs> cost_of(const Network& network, const Node& node, const CostQuestion& question);

}  // namespace ergon::graph
