#pragma once

#include <algorithm>
#include <functional>

#include "device/twin/load.h"
#include "predict/estimate/some_iterations.h"
#include "predict/samples/dataset_samples.h"

namespace ergon::predict::test {

inline const WorkloadConfig kInference{32, graph::Mode::inference, device::Precision::tf32};

// Factor on the physical estimate of an operation's time.
using Distortion = std::function<double(const Task&)>;

inline double undistorted(const Task&) { return 1; }
inline double slow_convolutions(const Task& task) { return task.kind == "conv" ? 1.5 : 1; }

// Measures each operation alone, replayed, without launch overhead.
inline void measure_operations(TrainingData& data, const Iteration& iteration,
                               const device::Specification& gpu, const Distortion& distortion) {
  const auto known = [&](const Task& task) {
    return std::any_of(data.operations.begin(), data.operations.end(), [&](const OperationSample& each) {
      return each.task.id == task.id && each.config == iteration.config;
    });
  };
  for (const Task& task : iteration.tasks) {
    if (known(task)) continue;
    const TaskEstimate estimate(task, iteration.config.precision, gpu);
    const Settled settled = settle(estimate, gpu, gpu.core.max, gpu.limit.default_limit);
    OperationSample sample;
    sample.task = task;
    sample.config = iteration.config;
    sample.group = group_of(task);
    sample.time = settled.activity.gpu * distortion(task);
    sample.power = settled.power;
    sample.kernels_only = true;
    data.operations.push_back(std::move(sample));
  }
}

// A network at the highest clock; slower operations draw the same power.
inline NetworkSample measured_network(const Iteration& iteration, const device::Specification& gpu,
                                      const Distortion& distortion) {
  device::Activity sum;
  for (const Task& task : iteration.tasks) {
    const auto each = TaskEstimate(task, iteration.config.precision, gpu).at(gpu.core.max, gpu);
    const double times = distortion(task) * task.count;
    sum.gpu += each.gpu * times;
    sum.busy += each.busy * times;
    sum.work += each.work * times;
    sum.transfers += each.transfers * times;
  }
  sum.host = host_of(iteration, gpu);
  sum.time = device::iteration_time(sum.gpu, sum.host);
  return {iteration, std::nullopt, sum.time, device::equilibrium_of(sum, gpu, gpu.core.max).power};
}

}  // namespace ergon::predict::test
