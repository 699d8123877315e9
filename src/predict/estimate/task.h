#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/kernel.h"
#include "graph/network.h"
#include "predict/estimate/launch_host.h"

namespace ergon::predict {

// How a network is run.
struct WorkloadConfig {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  LaunchHost host = LaunchHost::python;

  friend auto operator<=>(const WorkloadConfig&, const WorkloadConfig&) = default;
};

// Sizes of an operation; 0 where one does not apply.
struct Geometry {
  double batch = 1;
  double channels = 0, height = 0, width = 0;  // of the first input
  double out_channels = 0;
  double kernel = 0, stride = 0, groups = 0;  // kernel, stride: side of the square window of equal area
  double inputs = 0;                          // number of input tensors
  double input_elements = 0, output_elements = 0, weights = 0;
};

// One operation of a network as a framework runs it, with its kernels: the unit that is measured and
// predicted.
struct Task {
  std::string kind;            // operation type, "conv", "attention", as in datasets
  std::string description;     // attributes and shapes, for text output
  std::string id;              // of the operation at its batch; equal in all networks
  double count = 1;            // occurrences per iteration
  bool implicit = false;       // part of another operation, never measured alone
  double launches = 1;         // kernels that the host launches for it
  bool shares_launch = false;  // implicit, and its launch overhead is part of the other operation's
  std::string unmodeled;  // data type whose speed is not modeled, "int8"; computed as the precision instead
  bool channels_last = false;  // depthwise convolution of an unintended channels-last image
  Geometry geometry;
  std::vector<device::Kernel> forward, backward;
};

// One iteration of a network as tasks.
struct Iteration {
  std::string network;
  WorkloadConfig config;
  std::vector<Task> tasks;
  Bytes weights, activations;  // device memory
  std::int64_t folded_batch_norms = 0;
};

// Bytes that the forward pass of a task moves.
double traffic_of(const Task& task);

// Errors: a batch that the network does not support; counts beyond 64 bits.
Result<Iteration> iteration_of(const graph::Network& network, const WorkloadConfig& config);

// The last operation of a network alone, the way single operations are measured. In training its inputs need
// gradients; dropout is active in both modes. Errors: as for iteration_of.
Result<Task> standalone_task(const graph::Network& network, const WorkloadConfig& config);

}  // namespace ergon::predict
