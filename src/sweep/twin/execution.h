#pragma once

#include <memory>

#include "base/random.h"
#include "device/twin/load.h"
#include "graph/network.h"
#include "profile/twin/twin_bench.h"

namespace ergon::sweep {

// The scenario `execution` on a twin: a program starts its framework, builds a network, loads its weights and
// predicts once. Nearly all of that is host work, which does not depend on the GPU clock.
//
//   begin     framework and GPU libraries                     the same for every network
//   build     layer x layers + weights / reading              varies from run to run
//   copy      weights / copying                               the GPU waits
//   search    each distinct convolution `trials` times        the GPU works: libraries try their algorithms
//   predict   one iteration                                   the GPU works
//
// None of these numbers was measured. They have the order of magnitude of TensorFlow 2 on a server and were
// chosen so that times are as flat over the clock, and scatter as much, as those of Drechsler, Metz and Plump
// (V100S, one image). docs/sweep.md explains how, and which of the paper's claims were used for it.
struct ExecutionModel {
  Seconds begin{3};
  double begin_scatter = 0.01;    // standard deviation of the logarithm
  Seconds layer{0.012};           // to build, trace and place one layer
  BytesPerSecond reading{2.5e9};  // of weights, from the page cache
  double build_scatter = 0.1;
  BytesPerSecond copying{10e9};  // of weights to the GPU: PCIe 3 x16
  double trials = 50;            // search time in executions of the fastest algorithm
};

// The work of one network on one twin, for any clock.
class ExecutionWork {
 public:
  // Errors: an unsupported batch; not enough GPU memory.
  static Result<ExecutionWork> prepare(const graph::Network& network, std::int64_t batch,
                                       device::Precision precision, const device::Specification& gpu,
                                       const ExecutionModel& model);

  // Host time without scatter.
  Seconds build() const { return build_; }
  Seconds copy() const { return copy_; }
  const std::shared_ptr<const device::Load>& search() const { return search_; }  // null: no convolutions
  const std::shared_ptr<const device::Load>& iteration() const { return iteration_; }

 private:
  ExecutionWork() = default;

  Seconds build_, copy_;
  std::shared_ptr<const device::Load> search_, iteration_;
};

// Executes the work and returns its duration.
Result<Seconds> execute(const ExecutionWork& work, const ExecutionModel& model, profile::TwinBench& bench,
                        Random& random);

}  // namespace ergon::sweep
