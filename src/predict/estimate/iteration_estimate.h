#pragma once

#include <set>
#include <string>
#include <vector>

#include "device/twin/steady_state.h"
#include "predict/composition.h"
#include "predict/estimate/task_estimate.h"
#include "predict/learn/forest.h"
#include "predict/model/model.h"

namespace ergon::predict {

// One iteration on one GPU, for any clock: physical estimates and costs by task.
struct IterationEstimate {
  std::vector<TaskEstimate> tasks;
  std::vector<TaskCost> costs;  // by task
};

IterationEstimate estimate_iteration(const Iteration& iteration, const device::Specification& gpu,
                                     const LaunchOverhead& overhead);

// Forests and the operations they were fitted to.
struct LearnedOperations {
  const Forest& time;
  const Forest& power;
  std::set<std::string> kinds;
  const MeasuredOperations& operations;
};

// Sets the learned ratios of every task, at the default clock and power limit. Operation types without
// training data keep the physical estimate.
void add_learned_ratios(IterationEstimate& estimate, const Iteration& iteration,
                        const device::Specification& gpu, const LearnedOperations& learned);

// One iteration at a clock, kernels only: physical estimates times learned ratios after shrinkage.
device::Activity activity_of(const IterationEstimate& estimate, const Shrinkage& shrinkage,
                             const device::Specification& gpu, Hertz clock);

// Launch overhead of one iteration.
Seconds host_time(const IterationEstimate& estimate);

// The twin's launch overhead.
LaunchOverhead default_launch_overhead(const device::Specification& gpu);

}  // namespace ergon::predict
