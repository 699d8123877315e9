#include "device/twin/load.h"

#include <algorithm>
#include <cmath>

namespace ergon::device {

Seconds iteration_time(Seconds gpu, Seconds host) {
  constexpr double kNorm = 8;
  const double longer = std::max(gpu, host).si(), shorter = std::min(gpu, host).si();
  if (longer <= 0) return Seconds{0};
  return Seconds{longer * std::pow(1 + std::pow(shorter / longer, kNorm), 1 / kNorm)};
}

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return "compute";
    case Bound::memory:
      return "memory";
    case Bound::launch:
      return "launch";
  }
  return "";
}

Bound bound_of(const Activity& activity) {
  const Seconds launching = activity.gpu - activity.cores - activity.memory;
  if (activity.host >= activity.gpu || launching > activity.cores + activity.memory) return Bound::launch;
  return activity.cores >= activity.memory ? Bound::compute : Bound::memory;
}

Load::Load(const Workload& workload, const Specification& gpu)
    : gpu_(gpu), launch_(workload.mode == graph::Mode::training ? gpu.host.training : gpu.host.inference) {
  for (std::size_t i = 0; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    OperationLoad load{i, static_cast<double>(operation.count), {}};
    for (const Kernel& kernel : operation.forward)
      load.kernel_costs.push_back(kernel_cost(kernel, workload.precision, gpu));
    for (const Kernel& kernel : operation.backward)
      load.kernel_costs.push_back(kernel_cost(kernel, workload.precision, gpu));
    operations_.push_back(std::move(load));
  }
}

Activity Load::of(const OperationLoad& operation, Hertz clock) const {
  Activity sum;
  for (const KernelCost& cost : operation.kernel_costs) {
    const KernelTime time = time_of(cost, gpu_, clock);
    sum.gpu += time.total * operation.count;
    (time.cores >= time.memory ? sum.cores : sum.memory) +=
        (time.total - gpu_.kernels.floor - cost.floor) * operation.count;
    sum.busy += time.total * (cost.occupancy * operation.count);
    sum.work += cost.work * operation.count;
    sum.transfers += cost.transfers * operation.count;
  }
  sum.host = launch_ * operation.count;
  sum.time = iteration_time(sum.gpu, sum.host);
  return sum;
}

Activity Load::at(Hertz clock) const {
  Activity sum;
  for (const OperationLoad& operation : operations_) {
    const Activity each = of(operation, clock);
    sum.gpu += each.gpu;
    sum.host += each.host;
    sum.cores += each.cores;
    sum.memory += each.memory;
    sum.busy += each.busy;
    sum.work += each.work;
    sum.transfers += each.transfers;
  }
  sum.time = iteration_time(sum.gpu, sum.host);
  return sum;
}

}  // namespace ergon::device
