#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/twin/precision.h"
#include "graph/summary.h"

namespace ergon::device {

// Kernel types with different efficiency.
enum class KernelKind : std::uint8_t {
  product,    // matrix product, or convolution computed as one
  depthwise,  // depthwise convolution
  grouped,    // grouped convolution with few channels per group
  norm,       // batch norm
  rows,       // over the last dimension: layer norm, softmax, transpose
  gather,     // reads neighboring elements: pooling, local response norm
  stream,     // elementwise
};

// `count` independent products of an m x k by a k x n matrix.
struct ProductShape {
  double m = 1, n = 1, k = 1;
  double count = 1;
};

// One kernel launch, independent of the GPU.
struct Kernel {
  KernelKind kind = KernelKind::stream;
  bool backward = false;
  bool convolution = false;   // for products: may run in TF32 and may need a layout change
  bool few_channels = false;  // convolution with up to four input channels
  bool pointwise = false;     // 1x1 convolution
  bool split_k = true;        // the inner loop may be split among several tiles
  bool winograd = false;      // convolution that Winograd's transform computes with fewer multiplications
  double side = 1;            // side length of the convolution window
  ProductShape product;
  double flops = 0;
  Bytes traffic;                 // bytes read and written
  double rows = 0;               // rows, one thread block each; 0 if the row count does not matter
  double elements_per_row = 0;   // if one thread block processes a whole row alone, otherwise 0
  double broadcast_indices = 0;  // elements whose index in a broadcast operand is computed, otherwise 0
  bool unaligned = false;        // for products: rows cannot be loaded 16 bytes at a time
  double launches = 1;
};

// One distinct operation of a network, as kernels.
struct Operation {
  std::string kind;  // "conv", "batch_norm", ...: the type in `ergon inspect`
  graph::NodeId example = 0;
  std::vector<graph::NodeId> nodes;  // all occurrences
  std::vector<std::int64_t> input;   // shape of the first input
  std::string detail;                // for example "3x3 / 2, 512 out"
  std::int64_t count = 1;
  std::vector<Kernel> forward, backward;
};

// A network at one batch size: the kernels of one iteration and its memory.
struct Workload {
  std::string network;
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  Precision precision = Precision::tf32;
  std::vector<Operation> operations;
  Bytes weights;      // including gradients in training; independent of the batch
  Bytes activations;  // maximum that is live at the same time

  Bytes memory() const { return weights + activations; }
};

// Errors: a batch that the network does not support; counts beyond 64 bits.
Result<Workload> workload_of(const graph::Network& network, std::int64_t batch, graph::Mode mode,
                             Precision precision);

}  // namespace ergon::device
