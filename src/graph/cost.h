#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph {

enum class Mode : std::uint8_t { inference, training };
inline constexpr Mode kModes[] = {Mode::inference, Mode::training};
std::string_view name_of(Mode mode);

// Largest batch, and largest size of a dimension or window. Products of two such numbers fit in 64 bits.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 31;

// The kind of operation that performs a MAC.
enum class MacType : std::uint8_t { none, conv, depthwise, dense, matmul };

// Cost of one operation at one batch size. Conventions (docs/costs.md): a MAC counts as two FLOPs; every
// operation reads its inputs and writes its outputs once, as if no cache kept data between kernels; training
// is one forward and one backward pass, without loss and optimizer.
struct Costs {
  std::int64_t macs = 0;
  std::int64_t flops = 0;
  std::int64_t parameters = 0;    // stored values, running statistics included
  std::int64_t weight_bytes = 0;  // size of the parameters in memory
  std::int64_t weight_bytes_moved = 0;
  std::int64_t activation_bytes_read = 0;
  std::int64_t activation_bytes_written = 0;
  std::int64_t output_elements = 0;

  std::int64_t activation_bytes() const { return activation_bytes_read + activation_bytes_written; }
  std::int64_t bytes_moved() const { return activation_bytes() + weight_bytes_moved; }
  // Arithmetic intensity: FLOPs per byte moved; 0 if no bytes move.
  double intensity() const;
};

struct CostOptions {
  std::int64_t batch = 1;
  Mode mode = Mode::inference;
  // The backward pass computes the gradient of the inputs, because an earlier operation is trainable. Used in
  // training only.
  bool needs_input_gradient = true;
};

MacType mac_type(const Operation& operation, const Shape& first_input);

Result<Costs> cost_of(const Network& network, const Node& node, const CostOptions& options);

}  // namespace ergon::graph
