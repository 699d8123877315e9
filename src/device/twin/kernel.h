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

// How a kernel uses the chip.
enum class KernelKind : std::uint8_t {
  product,    // a matrix product, or a convolution computed as one
  depthwise,  // a convolution of every channel by itself
  grouped,    // a convolution of groups of a few channels
  norm,       // scales by a channel's statistics, and in training works them out
  rows,       // over the last axis: layer norms, softmax, transposes
  gather,     // reads neighbours: pooling and reductions
  stream,     // element by element
};

// Independent products of an m x k by a k x n matrix.
struct ProductShape {
  double m = 1, n = 1, k = 1;
  double count = 1;
};

// One launch, before anything is known of the chip.
struct Kernel {
  KernelKind kind = KernelKind::stream;
  bool backward = false;
  bool convolution = false;   // of the products: may run in TF32, and may have to change the layout
  bool few_channels = false;  // a convolution of up to four input channels
  bool pointwise = false;     // a convolution of single pixels
  bool cuttable = true;       // its inner loop may be cut among several tiles
  bool winograd = false;      // a convolution that a transform can do with fewer multiplications
  double side = 1;            // of a convolution's kernel
  ProductShape product;
  double flops = 0;
  Bytes traffic;           // all that is read and written
  double rows = 0;         // each a block of threads of its own; 0 where that does not count
  double walk = 0;         // elements of a row where one block of threads goes through all of them by itself
  double places = 0;       // elements whose place in a smaller operand is worked out one by one; likewise
  bool unaligned = false;  // of the products: rows that cannot be loaded 16 bytes at a time
  double launches = 1;
};

// One operation and its alike in a network, as kernels.
struct Operation {
  std::string kind;  // "conv", "batch_norm": as `ergon inspect` calls it
  graph::NodeId example = 0;
  std::vector<graph::NodeId> nodes;  // all alike
  std::vector<std::int64_t> input;   // the extents of its first input
  std::string detail;                // what tells it from others of its kind: "3x3 / 2, 512 out"
  std::int64_t count = 1;
  std::vector<Kernel> forward, backward;
};

// A network at a batch, ready to be run: what one iteration launches and what it keeps in memory.
struct Workload {
  std::string network;
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  Precision precision = Precision::tf32;
  std::vector<Operation> operations;
  Bytes weights;      // with their gradients in training: what does not follow the batch
  Bytes activations;  // those that live at the same time

  Bytes memory() const { return weights + activations; }
};

// Errors: a batch that the network cannot run at; counts beyond 64 bits.
Result<Workload> workload_of(const graph::Network& network, std::int64_t batch, graph::Mode mode,
                             Precision precision);

}  // namespace ergon::device
