#include "device/twin/estimate.h"

#include <algorithm>

#include "base/units_text.h"

namespace ergon::device {
Result<Bytes> memory_on(const Workload& workload, const Specification& gpu) {
  const Bytes needed = workload.memory() + kCudaContext;
  if (needed <= gpu.memory.capacity) return needed;
  const Bytes left = gpu.memory.capacity - kCudaContext - workload.weights;
  const double share = std::max(0.0, (left / workload.activations).si());
  const auto fitting = static_cast<std::int64_t>(static_cast<double>(workload.batch) * share);
  return fail(Errc::out_of_memory, "{} of {} at batch {} needs {} of memory; {} has {}{}",
              name_of(workload.mode), workload.network, workload.batch, to_text(needed), gpu.name,
              to_text(gpu.memory.capacity), fitting > 0 ? fmt::format(" (max batch: {})", fitting) : "");
}

Result<Estimate> estimate(const Workload& workload, const Specification& gpu, const ClockAndLimit& setting) {
  if (const auto checked = check(setting, gpu); !checked) return checked.error();
  if (workload.operations.empty())
    return fail(Errc::invalid_input, "{} launches no kernel; there is nothing to estimate", workload.network);
  Estimate result;
  const auto memory = memory_on(workload, gpu);
  if (!memory) return memory.error();
  result.memory = *memory;
  const Load load(workload, gpu);
  result.state = steady_state(load, gpu, setting);
  result.energy = result.state.power * result.state.activity.time;
  result.bound = bound_of(result.state.activity);
  // Host-bound time is distributed in proportion to the launch time of each operation.
  const Seconds waiting = std::max(Seconds{0}, result.state.activity.time - result.state.activity.gpu);
  for (const OperationLoad& each : load.operations()) {
    OperationEstimate operation{each.operation, load.of(each, result.state.clock), {}, {}};
    operation.activity.time = operation.activity.gpu;
    if (result.state.activity.host > Seconds{0})
      operation.activity.time += waiting * (operation.activity.host / result.state.activity.host).si();
    operation.energy = power_of(operation.activity, gpu, result.state.clock, result.state.temperature) *
                       operation.activity.time;
    // Whether launches limit the time is decided for the whole network: the host runs ahead across
    // operations.
    operation.bound = result.bound;
    if (result.bound != Bound::launch) {
      operation.activity.host = Seconds{0};
      operation.bound = bound_of(operation.activity);
    }
    result.operations.push_back(operation);
  }
  return result;
}

}  // namespace ergon::device
