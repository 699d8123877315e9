#pragma once

#include <algorithm>
#include <functional>

#include "device/twin/load.h"
#include "predict/dataset_samples.h"
#include "predict/some_jobs.h"

namespace ergon::predict::test {

// What most of them are measured at.
inline const Condition kInference{32, graph::Mode::inference, device::Precision::tf32};

// How many times longer an operation takes than physics says.
using Distortion = std::function<double(const Task&)>;

inline double as_it_is(const Task&) { return 1; }
inline double slow_convolutions(const Task& task) { return task.kind == "conv" ? 1.5 : 1; }

// Each operation of a job by itself, replayed, so that nothing waits for a host.
inline void measure_operations(TrainingData& data, const Job& job, const device::Specification& gpu,
                               const Distortion& distortion) {
  const auto known = [&](const Task& task) {
    return std::any_of(data.operations.begin(), data.operations.end(), [&](const OperationSample& each) {
      return each.task.id == task.id && each.condition == job.condition;
    });
  };
  for (const Task& task : job.tasks) {
    if (known(task)) continue;
    const PlacedTask placed(task, job.condition.precision, gpu);
    const Settled settled = settle(placed, gpu, gpu.core.most, gpu.limit.usual);
    OperationSample sample;
    sample.task = task;
    sample.condition = job.condition;
    sample.group = group_of(task);
    sample.time = settled.activity.gpu * distortion(task);
    sample.power = settled.power;
    sample.kernels_only = true;
    data.operations.push_back(std::move(sample));
  }
}

// A whole network at the highest clock: operations that take so much longer do the same work meanwhile.
inline NetworkSample measured_whole(const Job& job, const device::Specification& gpu,
                                    const Distortion& distortion) {
  device::Activity sum;
  for (const Task& task : job.tasks) {
    const auto each = PlacedTask(task, job.condition.precision, gpu).at(gpu.core.most, gpu);
    const double times = distortion(task) * task.count;
    sum.gpu += each.gpu * times;
    sum.busy += each.busy * times;
    // As much power as without the distortion.
    sum.work += each.work * times;
    sum.transfers += each.transfers * times;
  }
  sum.host = host_of(job, gpu);
  sum.time = device::pace(sum.gpu, sum.host);
  return {job, std::nullopt, sum.time, device::equilibrium_of(sum, gpu, gpu.core.most).power};
}

}  // namespace ergon::predict::test
