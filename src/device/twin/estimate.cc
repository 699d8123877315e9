#include "device/twin/estimate.h"

#include <algorithm>

#include "base/units_text.h"

namespace ergon::device {
namespace {

// What a context and the framework's libraries take of the memory.
constexpr Bytes kContext{0.5 * 1073741824};

}  // namespace

Result<Bytes> memory_on(const Workload& workload, const Specification& gpu) {
  const Bytes needed = workload.memory() + kContext;
  if (needed <= gpu.memory.capacity) return needed;
  const Bytes left = gpu.memory.capacity - kContext - workload.weights;
  const double share = std::max(0.0, (left / workload.activations).si());
  const auto fitting = static_cast<std::int64_t>(static_cast<double>(workload.batch) * share);
  return fail(Errc::out_of_memory, "{} of {} at batch {} needs {} of memory; {} has {}{}",
              workload.mode == graph::Mode::training ? "training" : "inference", workload.network,
              workload.batch, to_text(needed), gpu.name, to_text(gpu.memory.capacity),
              fitting > 0 ? fmt::format(" (batch {} fits)", fitting) : "");
}

Result<Estimate> estimate(const Workload& workload, const Specification& gpu, const Setting& setting) {
  if (const auto fine = check(setting, gpu); !fine) return fine.error();
  Estimate answer;
  const auto memory = memory_on(workload, gpu);
  if (!memory) return memory.error();
  answer.memory = *memory;
  const Load load(workload, gpu);
  answer.state = steady_state(load, gpu, setting);
  answer.energy = answer.state.power * answer.state.activity.time;
  answer.bound = bound_of(answer.state.activity);
  // The time that the GPU waits for the host is shared out like the host's own.
  const Seconds waiting = std::max(Seconds{0}, answer.state.activity.time - answer.state.activity.gpu);
  for (const OperationLoad& each : load.operations()) {
    OperationEstimate operation{each.operation, load.of(each, answer.state.clock), {}, {}};
    operation.activity.time = operation.activity.gpu;
    if (answer.state.activity.host > Seconds{0})
      operation.activity.time += waiting * (operation.activity.host / answer.state.activity.host).si();
    operation.energy = power_of(operation.activity, gpu, answer.state.clock, answer.state.temperature) *
                       operation.activity.time;
    // The host runs ahead over the network as a whole, not operation by operation.
    operation.bound = answer.bound;
    if (answer.bound != Bound::launch) {
      operation.activity.host = Seconds{0};
      operation.bound = bound_of(operation.activity);
    }
    answer.operations.push_back(operation);
  }
  return answer;
}

}  // namespace ergon::device
