#pragma once

#include <memory>

#include "base/random.h"
#include "device/twin/load.h"
#include "graph/network.h"
#include "profile/twin/twin_bench.h"

namespace ergon::sweep {

// What the scenario `execution` consists of on a twin: a program starts its framework, builds a network,
// loads its weights and predicts once. Nearly all of that is the host's work, and no clock of a GPU makes it
// faster.
//
//   begin     the framework and the GPU's libraries           the same for every network
//   build     layer x layers + weights / reading              each time rather different
//   copy      weights / copying                               the GPU waits
//   search    each distinct convolution `trials` times        the GPU works: libraries try their algorithms
//   predict   one iteration                                   the GPU works
//
// No number here was measured. They are of the order that TensorFlow 2 is known for on a server, and chosen
// so that times come out as flat, and scatter as much, as those of Drechsler, Metz and Plump (V100S, one
// image): docs/sweep.md says how, and which of the paper's claims that has used up.
struct ExecutionModel {
  Seconds begin{3};
  double begin_scatter = 0.01;    // standard deviation of the logarithm
  Seconds layer{0.012};           // to build, trace and place one layer
  BytesPerSecond reading{2.5e9};  // of weights, by a machine that has read the file before
  double build_scatter = 0.1;
  BytesPerSecond copying{10e9};  // of weights to the GPU: PCIe 3 x16
  double trials = 50;            // as often as the algorithm that wins would run while all of them are tried
};

// One network on one twin, ready to be executed at any clock.
class ExecutionWork {
 public:
  // Errors: a batch it cannot run at; more memory than the GPU has.
  static Result<ExecutionWork> place(const graph::Network& network, std::int64_t batch,
                                     device::Precision precision, const device::Specification& gpu,
                                     const ExecutionModel& model);

  // The host's part, if nothing scattered.
  Seconds build() const { return build_; }
  Seconds copy() const { return copy_; }
  const std::shared_ptr<const device::Load>& search() const { return search_; }  // null: nothing to try
  const std::shared_ptr<const device::Load>& iteration() const { return iteration_; }

 private:
  ExecutionWork() = default;

  Seconds build_, copy_;
  std::shared_ptr<const device::Load> search_, iteration_;
};

// Runs all of it, and says how long that took.
Result<Seconds> execute(const ExecutionWork& work, const ExecutionModel& model, profile::TwinBench& bench,
                        Random& random);

}  // namespace ergon::sweep
