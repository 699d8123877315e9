#include "predict/estimate/task_estimate.h"

#include <algorithm>

namespace ergon::predict {

TaskEstimate::TaskEstimate(const Task& task, device::Precision precision, const device::Specification& gpu) {
  for (const auto* kernels : {&task.forward, &task.backward}) {
    for (const device::Kernel& kernel : *kernels)
      kernel_costs_.push_back(device::kernel_cost(kernel, precision, gpu));
  }
}

device::Activity TaskEstimate::at(Hertz clock, const device::Specification& gpu) const {
  device::Activity sum;
  for (const device::KernelCost& cost : kernel_costs_) {
    const device::KernelTime time = device::time_of(cost, gpu, clock);
    sum.gpu += time.total;
    sum.cores += time.cores;
    sum.memory += time.memory;
    sum.busy += time.total * cost.occupancy;
    sum.work += cost.work;
    sum.transfers += cost.transfers;
  }
  // A task without kernels still costs one call.
  sum.gpu = std::max(sum.gpu, gpu.kernels.floor);
  sum.time = sum.gpu;
  return sum;
}

Settled settle(const TaskEstimate& task, const device::Specification& gpu, Hertz requested, Watts limit) {
  const auto at = [&](Hertz clock) { return task.at(clock, gpu); };
  const Hertz clock = device::regulated_clock(at, gpu, requested, limit);
  const device::Activity activity = at(clock);
  return {clock, activity, device::equilibrium_of(activity, gpu, clock).power};
}

}  // namespace ergon::predict
