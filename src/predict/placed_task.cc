#include "predict/placed_task.h"

#include <algorithm>

namespace ergon::predict {

PlacedTask::PlacedTask(const Task& task, device::Precision precision, const device::Specification& gpu) {
  for (const auto* kernels : {&task.forward, &task.backward}) {
    for (const device::Kernel& kernel : *kernels)
      demands_.push_back(device::demand_of(kernel, precision, gpu));
  }
}

device::Activity PlacedTask::at(Hertz clock, const device::Specification& gpu) const {
  device::Activity sum;
  for (const device::Demand& demand : demands_) {
    const device::KernelTime time = device::time_of(demand, gpu, clock);
    sum.gpu += time.total;
    sum.cores += time.cores;
    sum.memory += time.memory;
    sum.busy += time.total * demand.occupancy;
    sum.work += demand.work;
    sum.transfers += demand.transfers;
  }
  // What launches nothing has been called all the same.
  sum.gpu = std::max(sum.gpu, gpu.kernels.floor);
  sum.time = sum.gpu;
  return sum;
}

Settled settle(const PlacedTask& task, const device::Specification& gpu, Hertz asked, Watts limit) {
  const auto at = [&](Hertz clock) { return task.at(clock, gpu); };
  const Hertz clock = device::regulated_clock(at, gpu, asked, limit);
  const device::Activity activity = at(clock);
  return {clock, activity, device::equilibrium_of(activity, gpu, clock).power};
}

}  // namespace ergon::predict
