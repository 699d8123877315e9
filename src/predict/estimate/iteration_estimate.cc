#include "predict/estimate/iteration_estimate.h"

#include <cmath>

#include "predict/learn/features.h"

namespace ergon::predict {
namespace {

const std::string kTranspose = "transpose";

// An implicit copy for a matrix product has the launch overhead of a transpose; one that a convolution makes
// itself is part of the same call.
Seconds launch_time(const Task& task, graph::Mode mode, const LaunchOverhead& overhead) {
  if (task.shares_launch) return Seconds{0};
  const std::string& kind = task.implicit ? kTranspose : task.kind;
  // A measured overhead is that of all launches of the operation.
  return overhead.of(kind, mode) * (overhead.is_measured(kind, mode) ? 1 : task.launches);
}

}  // namespace

IterationEstimate estimate_iteration(const Iteration& iteration, const device::Specification& gpu,
                                     const LaunchOverhead& overhead) {
  IterationEstimate estimate;
  estimate.tasks.reserve(iteration.tasks.size());
  estimate.costs.reserve(iteration.tasks.size());
  for (const Task& task : iteration.tasks) {
    estimate.tasks.emplace_back(task, iteration.config.precision, gpu);
    TaskCost cost;
    cost.count = task.count;
    cost.operation_class = operation_class_of(task);
    cost.host = launch_time(task, iteration.config.mode, overhead);
    cost.idle = overhead.idle_in(iteration.config.mode);
    estimate.costs.push_back(cost);
  }
  return estimate;
}

void add_learned_ratios(IterationEstimate& estimate, const Iteration& iteration,
                        const device::Specification& gpu, const LearnedOperations& learned) {
  std::vector<float> rows;
  rows.reserve(iteration.tasks.size() * feature_count());
  for (std::size_t i = 0; i < iteration.tasks.size(); ++i) {
    const Settled settled = settle(estimate.tasks[i], gpu, gpu.core.max, gpu.limit.default_limit);
    estimate.costs[i].settled = settled.activity.gpu;
    estimate.costs[i].settled_power = settled.power;
    const auto features = features_of(iteration.tasks[i], estimate.tasks[i], settled, iteration.config, gpu);
    rows.insert(rows.end(), features.begin(), features.end());
  }
  const auto times = learned.time.sums(rows, feature_count());
  const auto powers = learned.power.sums(rows, feature_count());
  for (std::size_t i = 0; i < estimate.costs.size(); ++i) {
    if (!learned.kinds.contains(iteration.tasks[i].kind)) continue;
    estimate.costs[i].time_ratio = times[i];
    estimate.costs[i].power_ratio = powers[i];
    estimate.costs[i].measured =
        learned.operations.contains(iteration.tasks[i], effective_config(iteration.config, gpu));
  }
}

device::Activity activity_of(const IterationEstimate& estimate, const Shrinkage& shrinkage,
                             const device::Specification& gpu, Hertz clock) {
  device::Activity sum;
  for (std::size_t i = 0; i < estimate.tasks.size(); ++i) {
    const TaskCost& cost = estimate.costs[i];
    const device::Activity each = estimate.tasks[i].at(clock, gpu);
    const double scale = cost.count * std::exp(ratio_weight(cost, shrinkage) * cost.time_ratio + cost.shift);
    sum.gpu += each.gpu * scale;
    sum.busy += each.busy * scale;
    sum.work += each.work * cost.count;
    sum.transfers += each.transfers * cost.count;
  }
  return sum;
}

Seconds host_time(const IterationEstimate& estimate) {
  Seconds sum;
  for (const TaskCost& cost : estimate.costs) sum += cost.host * cost.count;
  return sum;
}

LaunchOverhead default_launch_overhead(const device::Specification& gpu) {
  LaunchOverhead overhead;
  overhead.set_default(graph::Mode::inference, gpu.host.inference);
  overhead.set_default(graph::Mode::training, gpu.host.training);
  return overhead;
}

}  // namespace ergon::predict
