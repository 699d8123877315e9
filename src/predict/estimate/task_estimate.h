#pragma once

#include <vector>

#include "device/twin/steady_state.h"
#include "predict/estimate/task.h"

namespace ergon::predict {

// Physical estimate of a task on one GPU, for any clock. Learned ratios refer to it.
class TaskEstimate {
 public:
  TaskEstimate(const Task& task, device::Precision precision, const device::Specification& gpu);

  // One occurrence, kernels back to back, without launch overhead.
  device::Activity at(Hertz clock, const device::Specification& gpu) const;
  const std::vector<device::KernelCost>& kernel_costs() const { return kernel_costs_; }

 private:
  std::vector<device::KernelCost> kernel_costs_;
};

// Steady state of a GPU that repeats one task: below the requested clock if power would exceed the limit.
struct Settled {
  Hertz clock;
  device::Activity activity;
  Watts power;
};
Settled settle(const TaskEstimate& task, const device::Specification& gpu, Hertz requested, Watts limit);

}  // namespace ergon::predict
