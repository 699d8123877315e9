#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/twin/kernel.h"
#include "graph/network.h"
#include "predict/host.h"

namespace ergon::predict {

// What a network is run as.
struct Condition {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  Host host = Host::python;

  friend auto operator<=>(const Condition&, const Condition&) = default;
};

// What an operation is, in numbers; 0 where something does not apply.
struct Geometry {
  double batch = 1;
  double channels = 0, height = 0, width = 0;  // of the first input
  double out_channels = 0;
  double kernel = 0, stride = 0,
         groups = 0;  // side of the square window of that area, step, groups of channels
  double inputs = 0;  // how many tensors it reads
  double input_elements = 0, output_elements = 0, weights = 0;
};

// One step of a network as a framework runs it, with what it asks of a chip: the unit that is measured and
// predicted.
struct Task {
  std::string kind;            // "conv", "attention": as tables name it
  std::string description;     // attributes and extents, for people
  std::string id;              // of the operation at its batch; the same in all networks
  double count = 1;            // how often one iteration runs it
  bool hidden = false;         // happens inside of others and was never measured by itself
  bool within_a_call = false;  // and the host's part of it is in the call that makes it
  bool turned = false;         // filters an image that lies channels last where others lie channels first
  Geometry geometry;
  std::vector<device::Kernel> forward, backward;
};

// One iteration of a network as tasks.
struct Job {
  std::string network;
  Condition condition;
  std::vector<Task> tasks;
  Bytes weights, activations;  // that have to fit the memory
};

// What the forward pass of a task moves.
double traffic_of(const Task& task);

// Errors: a batch that the network cannot run at; counts beyond 64 bits.
Result<Job> job_of(const graph::Network& network, const Condition& condition);

// The last operation of a network by itself, whose inputs need a gradient in training: how single operations
// are measured. Dropouts count as if they dropped. Errors: as for job_of.
Result<Task> lone_task(const graph::Network& network, const Condition& condition);

}  // namespace ergon::predict
